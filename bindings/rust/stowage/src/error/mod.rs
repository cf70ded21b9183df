use std::ffi::{c_char, CStr};
use std::fmt;

use stowage_sys as sys;

/// Why a call failed. `stowage.h` fixes the numbers; a number that this crate does not know is `Internal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    InvalidArgument,
    /// The bytes are not a well-formed buffer of the expected kind and version.
    Malformed,
    /// Well-formed, but a value is wrong or contradicts another: see [`Error::path`].
    Invalid,
    /// The planner does not honour a feature that the instance uses.
    Unsupported,
    /// Larger than the caller's limits or than the library's number ranges.
    LimitExceeded,
    /// No planner, option, app, node or other item has that name.
    NotFound,
    OutOfMemory,
    /// A defect of the library.
    Internal,
    /// A [`ControlHandle`](crate::ControlHandle) or a deadline ended the call before it had an answer; nothing changed.
    Cancelled,
    /// Another call uses the control or the session; nothing was done. The borrow checker keeps programs from that.
    Busy,
}

impl ErrorKind {
    fn of(status: sys::stowage_status) -> Self {
        match status {
            sys::STOWAGE_INVALID_ARGUMENT => Self::InvalidArgument,
            sys::STOWAGE_MALFORMED => Self::Malformed,
            sys::STOWAGE_INVALID => Self::Invalid,
            sys::STOWAGE_UNSUPPORTED => Self::Unsupported,
            sys::STOWAGE_LIMIT_EXCEEDED => Self::LimitExceeded,
            sys::STOWAGE_NOT_FOUND => Self::NotFound,
            sys::STOWAGE_OUT_OF_MEMORY => Self::OutOfMemory,
            sys::STOWAGE_CANCELLED => Self::Cancelled,
            sys::STOWAGE_BUSY => Self::Busy,
            _ => Self::Internal,
        }
    }

    fn status(self) -> sys::stowage_status {
        match self {
            Self::InvalidArgument => sys::STOWAGE_INVALID_ARGUMENT,
            Self::Malformed => sys::STOWAGE_MALFORMED,
            Self::Invalid => sys::STOWAGE_INVALID,
            Self::Unsupported => sys::STOWAGE_UNSUPPORTED,
            Self::LimitExceeded => sys::STOWAGE_LIMIT_EXCEEDED,
            Self::NotFound => sys::STOWAGE_NOT_FOUND,
            Self::OutOfMemory => sys::STOWAGE_OUT_OF_MEMORY,
            Self::Internal => sys::STOWAGE_INTERNAL,
            Self::Cancelled => sys::STOWAGE_CANCELLED,
            Self::Busy => sys::STOWAGE_BUSY,
        }
    }

    /// Its name in `stowage.h`, such as `"STOWAGE_INVALID"`.
    pub fn name(self) -> &'static str {
        // SAFETY: a static string of the library, NUL-terminated ASCII.
        unsafe { CStr::from_ptr(sys::stowage_status_text(self.status())) }.to_str().unwrap_or("STOWAGE_INTERNAL")
    }
}

/// The failure of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    path: String,
}

/// The result type of every call.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>, path: impl Into<String>) -> Self {
        Self { kind, message: message.into(), path: path.into() }
    }

    /// The status.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// One English sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The field at fault, such as `"apps.demand[51]"`, or `""`.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

impl std::error::Error for Error {}

/// Makes a call that fills a `stowage_error`.
pub(crate) fn check(call: impl FnOnce(*mut sys::stowage_error) -> sys::stowage_status) -> Result<()> {
    let mut details = sys::stowage_error {
        status: sys::STOWAGE_OK,
        message: [0; sys::STOWAGE_MESSAGE_SIZE],
        path: [0; sys::STOWAGE_PATH_SIZE],
    };
    match call(&mut details) {
        sys::STOWAGE_OK => Ok(()),
        status => Err(Error::new(ErrorKind::of(status), text(&details.message), text(&details.path))),
    }
}

fn text(chars: &[c_char]) -> String {
    let bytes: Vec<u8> = chars.iter().map(|&one| one as u8).take_while(|&one| one != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
