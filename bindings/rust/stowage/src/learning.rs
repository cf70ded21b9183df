//! Sizes that are learned: from profiles and samples of performance, or from usage.

use std::ptr::{self, NonNull};

use flatbuffers::{UnionWIPOffset, WIPOffset};
use stowage_sys as sys;

use crate::codec::{texts, Builder};
use crate::control::{self, Control};
use crate::error::{check, Result};
use crate::instance::{Buffer, Limits};
use crate::records::{Goal, Question, Recommendations, Samples, Sizes, Usage};
use crate::wire;

/// What is known of apps before anything is measured, with an entry per app.
#[derive(Clone, Debug, PartialEq)]
pub enum Feature {
    /// NaN = not known.
    Numbers { name: String, numbers: Vec<f64> },
    /// Empty = not known.
    Words { name: String, words: Vec<String> },
}

impl Goal {
    /// The goal at a confidence of 80 %.
    pub fn new(value: f64) -> Self {
        Self { value, ..Self::default() }
    }
}

/// A model that has learned how apps perform by size and degree of collocation. Immutable.
#[derive(Debug)]
pub struct Model(NonNull<sys::stowage_model>);

// SAFETY: stowage.h: a model is immutable, and any number of threads may use it at once.
unsafe impl Send for Model {}
// SAFETY: as above.
unsafe impl Sync for Model {}

impl Model {
    /// Learns from profiled apps.
    ///
    /// # Errors
    /// `Invalid`, `Malformed`, `LimitExceeded`, `OutOfMemory`.
    pub fn learn(profiles: &Samples) -> Result<Self> {
        Self::learn_raw(profiles, None)
    }

    /// [`Model::learn`] under a control.
    ///
    /// # Errors
    /// As [`Model::learn`], and `Cancelled`.
    pub fn learn_with(profiles: &Samples, control: &mut Control) -> Result<Self> {
        Self::learn_raw(profiles, Some(control))
    }

    fn learn_raw(profiles: &Samples, control: Option<&mut Control>) -> Result<Self> {
        let mut builder = Builder::new();
        let body = profiles.encode(&mut builder);
        finish(&mut builder, wire::LearningBody::Samples, body.as_union_value());
        let (bytes, control) = (builder.finished_data(), control::raw(control));
        Self::made(|model, error| {
            // SAFETY: all pointers are valid during the call; limits and control may be null.
            unsafe { sys::stowage_model_learn_watched(bytes.as_ptr(), bytes.len(), ptr::null(), control, model, error) }
        })
    }

    /// Reads a model that [`Model::save`] wrote.
    ///
    /// # Errors
    /// `Malformed`, `Invalid`, `LimitExceeded`, `OutOfMemory`.
    pub fn load(bytes: &[u8]) -> Result<Self> {
        Self::load_raw(bytes, &Limits::default(), None)
    }

    /// [`Model::load`] with the caller's limits.
    ///
    /// # Errors
    /// As [`Model::load`].
    pub fn load_within(bytes: &[u8], limits: &Limits) -> Result<Self> {
        Self::load_raw(bytes, limits, None)
    }

    /// [`Model::load_within`] under a control.
    ///
    /// # Errors
    /// As [`Model::load`], and `Cancelled`.
    pub fn load_with(bytes: &[u8], limits: &Limits, control: &mut Control) -> Result<Self> {
        Self::load_raw(bytes, limits, Some(control))
    }

    fn load_raw(bytes: &[u8], limits: &Limits, control: Option<&mut Control>) -> Result<Self> {
        let (limits, control) = (limits.raw(), control::raw(control));
        // SAFETY: all pointers are valid during the call; `control` may be null.
        Self::made(|model, error| unsafe {
            sys::stowage_model_load_watched(bytes.as_ptr(), bytes.len(), &limits, control, model, error)
        })
    }

    fn made(make: impl FnOnce(*mut *mut sys::stowage_model, *mut sys::stowage_error) -> sys::stowage_status) -> Result<Self> {
        let mut handle = ptr::null_mut();
        check(|error| make(&mut handle, error))?;
        Ok(Self(NonNull::new(handle).expect("a call that succeeds gives a handle")))
    }

    /// The model as bytes, the same on every platform.
    ///
    /// # Errors
    /// `OutOfMemory`.
    pub fn save(&self) -> Result<Vec<u8>> {
        self.save_raw(None)
    }

    /// [`Model::save`] under a control.
    ///
    /// # Errors
    /// As [`Model::save`], and `Cancelled`.
    pub fn save_with(&self, control: &mut Control) -> Result<Vec<u8>> {
        self.save_raw(Some(control))
    }

    fn save_raw(&self, control: Option<&mut Control>) -> Result<Vec<u8>> {
        let control = control::raw(control);
        // SAFETY: the handle is alive, all pointers are valid during the call, `control` may be null and is not freed meanwhile.
        let bytes =
            Buffer::fill(|buffer, error| unsafe { sys::stowage_model_save_watched(self.0.as_ptr(), control, buffer, error) })?;
        Ok(bytes.bytes().to_vec())
    }

    /// Recommends a size and a degree of collocation for each app, or the sample to take next.
    ///
    /// # Errors
    /// `Invalid`, `LimitExceeded`, `OutOfMemory`.
    pub fn recommend(&self, question: &Question) -> Result<Recommendations> {
        self.recommend_raw(question, None)
    }

    /// [`Model::recommend`] under a control.
    ///
    /// # Errors
    /// As [`Model::recommend`], and `Cancelled`.
    pub fn recommend_with(&self, question: &Question, control: &mut Control) -> Result<Recommendations> {
        self.recommend_raw(question, Some(control))
    }

    fn recommend_raw(&self, question: &Question, control: Option<&mut Control>) -> Result<Recommendations> {
        let mut builder = Builder::new();
        let body = question.encode(&mut builder);
        finish(&mut builder, wire::LearningBody::Question, body.as_union_value());
        let (asked, control) = (builder.finished_data(), control::raw(control));
        // SAFETY: as in `save_raw`.
        let answer = Buffer::fill(|buffer, error| unsafe {
            sys::stowage_model_recommend_watched(self.0.as_ptr(), asked.as_ptr(), asked.len(), control, buffer, error)
        })?;
        Ok(learning(answer.bytes()).body_as_recommendations().expect("the library answers with recommendations").into())
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: freed once; borrows of `self` keep it from happening during a call.
        unsafe { sys::stowage_model_free(self.0.as_ptr()) }
    }
}

/// Sizes replicas by their usage.
///
/// # Errors
/// `Invalid`, `LimitExceeded`, `OutOfMemory`.
///
/// ```
/// use stowage::{size, SizeRule, Usage};
///
/// let sizes = size(&Usage {
///     apps: vec!["web".into()],
///     resources: vec!["cpu".into()],
///     app: vec![0; 4],
///     time: vec![0.0, 60.0, 120.0, 180.0],
///     amount: vec![1.0, 2.0, 3.0, 4.0],
///     rules: vec![SizeRule { percentile: 0.75, ..SizeRule::default() }],
///     ..Usage::default()
/// })?;
/// assert_eq!(sizes.size, [3.0]);
/// # Ok::<(), stowage::Error>(())
/// ```
pub fn size(usage: &Usage) -> Result<Sizes> {
    size_raw(usage, None)
}

/// [`size()`] under a control.
///
/// # Errors
/// As [`size()`], and `Cancelled`.
pub fn size_with(usage: &Usage, control: &mut Control) -> Result<Sizes> {
    size_raw(usage, Some(control))
}

fn size_raw(usage: &Usage, control: Option<&mut Control>) -> Result<Sizes> {
    let mut builder = Builder::new();
    let body = usage.encode(&mut builder);
    finish(&mut builder, wire::LearningBody::Usage, body.as_union_value());
    let (bytes, control) = (builder.finished_data(), control::raw(control));
    // SAFETY: all pointers are valid during the call; `control` may be null.
    let answer = Buffer::fill(|buffer, error| unsafe {
        sys::stowage_size_watched(bytes.as_ptr(), bytes.len(), control, buffer, error)
    })?;
    Ok(learning(answer.bytes()).body_as_sizes().expect("the library answers with sizes").into())
}

fn finish(builder: &mut Builder, kind: wire::LearningBody, body: WIPOffset<UnionWIPOffset>) {
    let root = wire::Learning::create(builder, &wire::LearningArgs { format: 1, body_type: kind, body: Some(body) });
    builder.finish(root, Some(wire::LEARNING_IDENTIFIER));
}

impl Feature {
    pub(crate) fn encode(&self, b: &mut Builder) -> WIPOffset<wire::Feature<'static>> {
        let args = match self {
            Self::Numbers { name, numbers } => {
                wire::FeatureArgs { name: Some(b.create_string(name)), numbers: Some(b.create_vector(numbers)), words: None }
            }
            Self::Words { name, words } => {
                wire::FeatureArgs { name: Some(b.create_string(name)), numbers: None, words: Some(texts(b, words)) }
            }
        };
        wire::Feature::create(b, &args)
    }
}

fn learning(bytes: &[u8]) -> wire::Learning<'_> {
    // SAFETY: the library has made these bytes.
    unsafe { wire::root_as_learning_unchecked(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::RecommendationReason;

    #[test]
    fn a_model_recommends_and_survives_its_bytes() {
        let profiles = Samples {
            resources: vec!["cpu".into()],
            apps: ["a", "b", "c", "d"].map(String::from).to_vec(),
            row_app: vec![0, 0, 1, 1, 2, 2, 3, 3],
            row_amounts: [1.0, 2.0].repeat(4),
            row_value: vec![0.4, 0.9, 0.5, 0.9, 0.45, 0.95, 0.5, 0.92],
            ..Samples::default()
        };
        let samples = Samples {
            resources: vec!["cpu".into()],
            apps: vec!["new".into()],
            row_app: vec![0],
            row_amounts: vec![1.0],
            row_value: vec![0.45],
            ..Samples::default()
        };
        let question = Question { samples, goal: Goal::new(0.8), curves: true };
        let model = Model::learn(&profiles).unwrap();
        let answer = model.recommend(&question).unwrap();
        assert_eq!(answer.reason, [RecommendationReason::MeetsGoal]);
        assert_eq!(answer.amounts[answer.choice[0].unwrap() as usize], 2.0);
        assert_eq!(answer.curve_mean.len(), 2);
        let bytes = model.save().unwrap();
        let again = Model::load(&bytes).unwrap().recommend(&question).unwrap();
        assert_eq!((again.choice, again.probability), (answer.choice, answer.probability));
        assert_eq!(Model::load(&bytes[1..]).unwrap_err().kind(), crate::ErrorKind::Malformed);
        let limits = Limits { apps: 1, ..Limits::default() };
        assert!(Model::load_within(&bytes, &limits).is_err());
    }
}
