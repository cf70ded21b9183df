//! Made by `flatc` from the schemas: `scripts/generate-bindings.py`. Private: only bytes that were verified are read with it.
#![allow(warnings, clippy::all)]

macro_rules! schema {
    ($name:ident, $file:literal) => {
        #[path = $file]
        mod $name;
        pub use $name::stowage::wire::*;
    };
}
schema!(catalogue_generated, "wire/catalogue_generated.rs");
schema!(instance_generated, "wire/instance_generated.rs");
schema!(plan_generated, "wire/plan_generated.rs");
schema!(report_generated, "wire/report_generated.rs");
schema!(request_generated, "wire/request_generated.rs");
schema!(session_generated, "wire/session_generated.rs");
