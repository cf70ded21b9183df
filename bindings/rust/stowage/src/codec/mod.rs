//! What the code that reads and writes records is made of.

use std::time::Duration;

use flatbuffers::{FlatBufferBuilder, Follow, ForwardsUOffset, Vector, WIPOffset};

pub(crate) type Builder = FlatBufferBuilder<'static>;
pub(crate) type Tables<T> = WIPOffset<Vector<'static, ForwardsUOffset<T>>>;

/// Defines an enumeration of the schemas, with a variant for enumerators that only a later library knows.
macro_rules! kinds {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
            /// An enumerator that this crate does not know.
            Unknown(u8),
        }

        impl From<$crate::wire::$name> for $name {
            fn from(kind: $crate::wire::$name) -> Self {
                match kind {
                    $($crate::wire::$name::$variant => Self::$variant,)*
                    other => Self::Unknown(other.0),
                }
            }
        }

        impl From<$name> for $crate::wire::$name {
            fn from(kind: $name) -> Self {
                match kind {
                    $($name::$variant => Self::$variant,)*
                    $name::Unknown(number) => Self(number),
                }
            }
        }
    };
}
pub(crate) use kinds;

/// The entries of a column; none where it is absent.
pub(crate) fn list<'a, T: Follow<'a> + 'a, To: From<T::Inner>>(column: Option<Vector<'a, T>>) -> Vec<To> {
    column.map(|column| column.iter().map(Into::into).collect()).unwrap_or_default()
}

pub(crate) fn flags(column: Option<Vector<'_, u8>>) -> Vec<bool> {
    column.map(|column| column.iter().map(|flag| flag != 0).collect()).unwrap_or_default()
}

pub(crate) fn indices(column: Option<Vector<'_, u32>>) -> Vec<Option<u32>> {
    column.map(|column| column.iter().map(known).collect()).unwrap_or_default()
}

pub(crate) fn text(text: Option<&str>) -> String {
    text.unwrap_or_default().to_owned()
}

/// A number, or none where it is the one that stands for none.
pub(crate) fn given<Number: PartialEq>(number: Number, none: Number) -> Option<Number> {
    (number != none).then_some(number)
}

/// An index, or none.
pub(crate) fn known(index: u32) -> Option<u32> {
    given(index, u32::MAX)
}

pub(crate) fn optional(b: &mut Builder, value: &str) -> Option<WIPOffset<&'static str>> {
    (!value.is_empty()).then(|| b.create_string(value))
}

pub(crate) fn texts(b: &mut Builder, values: &[String]) -> Tables<&'static str> {
    let all: Vec<_> = values.iter().map(|value| b.create_string(value)).collect();
    b.create_vector(&all)
}

pub(crate) fn tables<Item, T>(
    b: &mut Builder,
    items: &[Item],
    encode: impl Fn(&Item, &mut Builder) -> WIPOffset<T>,
) -> Tables<T> {
    let all: Vec<_> = items.iter().map(|item| encode(item, b)).collect();
    b.create_vector(&all)
}

/// The index of what has no name; a name stands in its place.
pub(crate) fn unnamed(name: &str, index: u32) -> u32 {
    if name.is_empty() {
        index
    } else {
        u32::MAX
    }
}

/// The milliseconds of a time, rounded up.
pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}
