//! The raw functions, structs and constants of `stowage.h`, which states ownership and thread safety. The crate `stowage` wraps
//! them safely.
#![no_std]
#![allow(non_camel_case_types)]

include!("bindings.rs");

#[cfg(feature = "text")]
pub mod text;
