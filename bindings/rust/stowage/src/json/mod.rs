//! JSON that people write, and explanations in words: the feature `text`.

use std::ptr;

use stowage_sys as sys;

use crate::error::{Error, ErrorKind, Result};
use crate::instance::{Buffer, Limits};
use crate::records::{Explanation, Plan};

/// Reads an instance that people wrote as JSON (`docs/reference/json-format.md`) and returns its bytes, for [`Instance::load`],
/// [`Session::open`] and [`Cluster::read`].
///
/// ```
/// let json = r#"{"stowage": 1, "resources": {"cpu": "cores"}, "classes": [{"capacity": {"cpu": 8}}],
///   "apps": [{"name": "web", "replicas": 3, "demand": {"cpu": "500m"}}]}"#;
/// let bytes = stowage::instance_from_json(json.as_bytes())?;
/// assert_eq!(stowage::Cluster::read(&bytes)?.apps[0].name, "web");
/// let failure = stowage::instance_from_json(json.replace("500m", "much").as_bytes()).unwrap_err();
/// assert_eq!(failure.path(), "apps[0].demand.cpu");
/// # Ok::<(), stowage::Error>(())
/// ```
///
/// # Errors
/// `Malformed` where the text is not JSON: the message has line and column. `Invalid` where a key, a name or a quantity is wrong: the
/// path is that of the value. `LimitExceeded`, `OutOfMemory`.
///
/// [`Instance::load`]: crate::Instance::load
/// [`Session::open`]: crate::Session::open
/// [`Cluster::read`]: crate::Cluster::read
pub fn instance_from_json(json: &[u8]) -> Result<Vec<u8>> {
    instance_from_json_within(json, &Limits::default())
}

/// [`instance_from_json`] with the caller's limits: `bytes` of the text, and `memory`.
///
/// # Errors
/// As [`instance_from_json`].
pub fn instance_from_json_within(json: &[u8], limits: &Limits) -> Result<Vec<u8>> {
    // SAFETY: all pointers are valid during the call.
    let bytes = Buffer::fill(|buffer, error| unsafe {
        sys::text::stowage_instance_from_json(json.as_ptr().cast(), json.len(), &limits.raw(), buffer, error)
    })?;
    Ok(bytes.bytes().to_vec())
}

/// Writes the bytes of an instance, or of a snapshot, as JSON. Nothing that planners read is lost.
///
/// # Errors
/// As [`Instance::load`](crate::Instance::load).
pub fn instance_to_json(bytes: &[u8]) -> Result<String> {
    // SAFETY: all pointers are valid during the call; the limits may be null.
    let json = Buffer::fill(|buffer, error| unsafe {
        sys::text::stowage_instance_to_json(bytes.as_ptr(), bytes.len(), ptr::null(), buffer, error)
    })?;
    text(&json)
}

/// Reads operations on a session as JSON (`docs/understand/sessions.md`) and returns their bytes, for [`Session::apply_bytes`]: a list of
/// operations, one operation, or a batch. The instance is the one that the session was opened on, or a snapshot: operations depend
/// on its resources, periods and kinds alone.
///
/// # Errors
/// As [`instance_from_json`] and [`Instance::load`], with paths such as `[3].replicas`.
///
/// [`Instance::load`]: crate::Instance::load
/// [`Session::apply_bytes`]: crate::Session::apply_bytes
pub fn operations_from_json(instance: &[u8], json: &[u8]) -> Result<Vec<u8>> {
    operations_from_json_within(instance, json, &Limits::default())
}

/// [`operations_from_json`] with the caller's limits: those of an instance, `bytes` of the text, and `memory` of the operations.
///
/// # Errors
/// As [`operations_from_json`].
pub fn operations_from_json_within(instance: &[u8], json: &[u8], limits: &Limits) -> Result<Vec<u8>> {
    // SAFETY: all pointers are valid during the call.
    let bytes = Buffer::fill(|buffer, error| unsafe {
        sys::text::stowage_operations_from_json(
            instance.as_ptr(),
            instance.len(),
            json.as_ptr().cast(),
            json.len(),
            &limits.raw(),
            buffer,
            error,
        )
    })?;
    Ok(bytes.bytes().to_vec())
}

impl Plan {
    /// Reads a plan as JSON, with names of the instance whose bytes are given.
    ///
    /// # Errors
    /// As [`instance_from_json`] and [`Instance::load`](crate::Instance::load).
    pub fn from_json(instance: &[u8], json: &[u8]) -> Result<Self> {
        // SAFETY: as in `instance_to_json`.
        let plan = Buffer::fill(|buffer, error| unsafe {
            sys::text::stowage_plan_from_json(
                instance.as_ptr(),
                instance.len(),
                json.as_ptr().cast(),
                json.len(),
                ptr::null(),
                buffer,
                error,
            )
        })?;
        Self::read(plan.bytes())
    }

    /// Writes the plan as JSON, with the names of the instance whose bytes are given.
    ///
    /// # Errors
    /// `Invalid` where the plan does not belong to the instance; as [`Instance::load`](crate::Instance::load).
    pub fn to_json(&self, instance: &[u8]) -> Result<String> {
        // SAFETY: as in `instance_to_json`.
        self.written(instance, |bytes, size, plan, plan_size, buffer, error| unsafe {
            sys::text::stowage_plan_to_json(bytes, size, plan, plan_size, ptr::null(), buffer, error)
        })
    }

    /// The plan in words, as the command `stowage plan` prints it: which nodes to buy, use, keep and free, how sure that is, what
    /// decides, and a table of at most `shown` nodes.
    ///
    /// # Errors
    /// As [`Plan::to_json`].
    pub fn to_text(&self, instance: &[u8], shown: u32) -> Result<String> {
        // SAFETY: as in `instance_to_json`.
        self.written(instance, |bytes, size, plan, plan_size, buffer, error| unsafe {
            sys::text::stowage_plan_to_text(bytes, size, plan, plan_size, shown, ptr::null(), buffer, error)
        })
    }

    /// A page of the plan: an HTML document with the answer of [`Plan::to_text`], how sure it is, what decides, a picture of all nodes,
    /// and tables. It needs no other file and runs no script.
    ///
    /// # Errors
    /// As [`Plan::to_json`].
    pub fn to_html(&self, instance: &[u8]) -> Result<String> {
        // SAFETY: as in `instance_to_json`.
        self.written(instance, |bytes, size, plan, plan_size, buffer, error| unsafe {
            sys::text::stowage_plan_to_html(bytes, size, plan, plan_size, ptr::null(), buffer, error)
        })
    }

    /// The picture of that page, as an SVG document.
    ///
    /// # Errors
    /// As [`Plan::to_json`].
    pub fn to_svg(&self, instance: &[u8]) -> Result<String> {
        // SAFETY: as in `instance_to_json`.
        self.written(instance, |bytes, size, plan, plan_size, buffer, error| unsafe {
            sys::text::stowage_plan_to_svg(bytes, size, plan, plan_size, ptr::null(), buffer, error)
        })
    }

    /// What `write` makes of the bytes of an instance and of this plan, which are valid while it runs.
    fn written(
        &self,
        instance: &[u8],
        write: impl FnOnce(
            *const u8,
            usize,
            *const u8,
            usize,
            *mut sys::stowage_buffer,
            *mut sys::stowage_error,
        ) -> sys::stowage_status,
    ) -> Result<String> {
        let plan = self.bytes();
        let made =
            Buffer::fill(|buffer, error| write(instance.as_ptr(), instance.len(), plan.as_ptr(), plan.len(), buffer, error))?;
        text(&made)
    }
}

impl Explanation {
    /// The explanation of a plan in words, as the command `stowage explain` prints it.
    ///
    /// # Errors
    /// As [`Plan::to_json`].
    pub fn to_text(&self, instance: &[u8], plan: &Plan) -> Result<String> {
        let (plan, report) = (plan.bytes(), self.bytes());
        // SAFETY: as in `instance_to_json`.
        let words = Buffer::fill(|buffer, error| unsafe {
            sys::text::stowage_explanation_to_text(
                instance.as_ptr(),
                instance.len(),
                plan.as_ptr(),
                plan.len(),
                report.as_ptr(),
                report.len(),
                ptr::null(),
                buffer,
                error,
            )
        })?;
        text(&words)
    }
}

fn text(buffer: &Buffer) -> Result<String> {
    let text = String::from_utf8(buffer.bytes().to_vec());
    text.map_err(|_| Error::new(ErrorKind::Internal, "the library wrote text that is not UTF-8", ""))
}
