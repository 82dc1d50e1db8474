"""The command `tsdt`: what people type and see. What is learned and how is not known here."""
