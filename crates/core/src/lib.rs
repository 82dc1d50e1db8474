//! core
pub mod bounds;
pub mod boxes;
pub mod branches;
pub mod window;
