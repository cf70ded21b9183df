//! The functions, structs and constants of `stowage.h`, as they are. Who owns what, and which threads may do what, is what that
//! header says; the crate `stowage` makes it safe.
#![no_std]
#![allow(non_camel_case_types)]

include!("bindings.rs");
