"""Small, optimal decision trees that keep learning while the data flow."""
