//! Sizes that are learned: from profiles and samples of performance, or from usage.

use std::ptr::{self, NonNull};

use flatbuffers::{FlatBufferBuilder, UnionWIPOffset, WIPOffset};
use stowage_sys as sys;

use crate::control::{self, Control};
use crate::error::{check, Result};
use crate::instance::{Buffer, Limits};
use crate::wire;

/// What was measured of apps.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Measure {
    /// In [0, 1], higher is better.
    #[default]
    Performance,
    /// In milliseconds, above 0, lower is better.
    Latency,
}

/// What is known of apps before anything is measured, with an entry per app.
#[derive(Clone, Debug, PartialEq)]
pub enum Feature {
    /// NaN = not known.
    Numbers { name: String, numbers: Vec<f64> },
    /// Empty = not known.
    Words { name: String, words: Vec<String> },
}

/// Measurements of apps with some configurations, in columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    pub measure: Measure,
    pub resources: Vec<String>,
    pub apps: Vec<String>,
    pub features: Vec<Feature>,
    /// What each app asks for today, apps x resources; NaN = not known; empty = nothing is known.
    pub asked: Vec<f64>,
    /// App of each row, an index into `apps`.
    pub row_app: Vec<u32>,
    /// Rows x resources.
    pub row_amounts: Vec<f64>,
    /// Containers of the app that share a node; empty = all 1.
    pub row_collocation: Vec<u32>,
    /// What was measured, per row.
    pub row_value: Vec<f64>,
}

/// What recommended configurations are to reach.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// A performance to reach, or a latency not to exceed.
    pub value: f64,
    /// Probability with which the goal is to be met.
    pub confidence: f64,
    /// Of one unit of each resource; empty = the largest amount of each costs 1.
    pub cost: Vec<f64>,
    /// Choose the degree of collocation alone.
    pub keep_asked: bool,
}

impl Goal {
    /// The goal at a confidence of 80 %.
    pub fn new(value: f64) -> Self {
        Self { value, confidence: 0.8, cost: Vec::new(), keep_asked: false }
    }
}

/// Asks a model for a recommendation per app of the samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub samples: Samples,
    pub goal: Goal,
    /// Also answer what is known of every configuration.
    pub curves: bool,
}

/// Why a recommendation is as it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RecommendationReason {
    /// A configuration meets the goal at the confidence.
    MeetsGoal,
    /// Too little is known to say so of any.
    NotEnoughEvidence,
    /// No configuration is likely to.
    GoalOutOfReach,
}

/// The answer to a question: an entry per app in each column. Configurations are indices into `collocation`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recommendations {
    pub resources: Vec<String>,
    /// Configurations x resources.
    pub amounts: Vec<f64>,
    /// Containers of the app that share a node, per configuration.
    pub collocation: Vec<u32>,
    pub apps: Vec<String>,
    pub reason: Vec<RecommendationReason>,
    /// The recommended configuration; none unless the reason is that it meets the goal.
    pub choice: Vec<Option<u32>>,
    /// That the choice meets the goal or, where there is none, that the most probable configuration does.
    pub probability: Vec<f64>,
    /// The next cheaper size, which misses the confidence; where there is no choice, the most probable configuration.
    pub runner_up: Vec<Option<u32>>,
    /// That it meets the goal.
    pub runner_up_probability: Vec<f64>,
    /// Of one container of the chosen size; 0 without a choice.
    pub cost: Vec<f64>,
    /// NaN where nothing was asked or chosen.
    pub saving_asked: Vec<f64>,
    /// NaN where nothing was chosen.
    pub saving_largest: Vec<f64>,
    /// The sample to take next: the one with the largest expected saving.
    pub next_sample: Vec<Option<u32>>,
    /// What it is expected to save, as a share of the cost of the configuration that costs most.
    pub next_saving: Vec<f64>,
    /// Number of samples of the app that the recommendation rests on.
    pub samples: Vec<u32>,
    /// Number of profiled apps that it rests on, in effect.
    pub similar: Vec<u32>,
    /// Apps x configurations, as are the other curves; empty unless asked for.
    pub curve_mean: Vec<f64>,
    /// What one in twenty is below.
    pub curve_low: Vec<f64>,
    /// What one in twenty is above.
    pub curve_high: Vec<f64>,
    /// That the configuration meets the goal.
    pub curve_probability: Vec<f64>,
}

/// How the size in one resource follows from usage; `learning.fbs` explains the fields.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeRule {
    /// Share of the samples, by weight, that the size covers.
    pub percentile: f64,
    /// Seconds; 0 = all samples weigh the same.
    pub half_life: f64,
    /// Seconds; 0 = each sample counts.
    pub window: f64,
    /// Usage counts (1 + margin) times.
    pub margin: f64,
    /// Usage at which a replica was killed counts this many times; at least 1.
    pub bump: f64,
    /// The least size.
    pub floor: f64,
    /// 0 = none.
    pub ceiling: f64,
    /// Demand is the mean of usage, with its variance.
    pub uncertain: bool,
}

impl Default for SizeRule {
    fn default() -> Self {
        Self {
            percentile: 0.95,
            half_life: 0.0,
            window: 0.0,
            margin: 0.0,
            bump: 1.0,
            floor: 0.0,
            ceiling: 0.0,
            uncertain: false,
        }
    }
}

/// What replicas used over time, in columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Usage {
    pub apps: Vec<String>,
    pub resources: Vec<String>,
    /// Per sample.
    pub app: Vec<u32>,
    /// Per sample, or empty.
    pub replica: Vec<u32>,
    /// Per sample, in seconds.
    pub time: Vec<f64>,
    /// Samples x resources; NaN = not measured.
    pub amount: Vec<f64>,
    /// Per sample, or empty.
    pub out_of_memory: Vec<u8>,
    /// Per resource.
    pub rules: Vec<SizeRule>,
    pub periods: u32,
    /// Seconds after which periods repeat; 0 = they divide the whole history.
    pub cycle: f64,
}

impl Default for Usage {
    fn default() -> Self {
        Self {
            apps: Vec::new(),
            resources: Vec::new(),
            app: Vec::new(),
            replica: Vec::new(),
            time: Vec::new(),
            amount: Vec::new(),
            out_of_memory: Vec::new(),
            rules: Vec::new(),
            periods: 1,
            cycle: 86_400.0,
        }
    }
}

/// What replicas should ask for. Columns are apps x resources unless they say otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sizes {
    pub apps: Vec<String>,
    pub resources: Vec<String>,
    pub periods: u32,
    /// NaN = never measured, here and in `demand`.
    pub size: Vec<f64>,
    /// Share of the size that was not used, on average over the samples.
    pub slack: Vec<f64>,
    /// Share of the samples above the size.
    pub exceeded: Vec<f64>,
    /// Apps x resources x periods.
    pub demand: Vec<f64>,
    /// Empty where no rule is uncertain.
    pub variance: Vec<f64>,
    /// As `slack`, of the demand.
    pub demand_slack: Vec<f64>,
    /// As `exceeded`, of the demand.
    pub demand_exceeded: Vec<f64>,
    /// Number of samples that were measured.
    pub measured: Vec<u64>,
    /// Per app, in seconds.
    pub first: Vec<f64>,
    /// Per app, in seconds.
    pub last: Vec<f64>,
    /// Per app.
    pub killed: Vec<u64>,
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
        let mut builder = FlatBufferBuilder::new();
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
        let (builder, control) = (question.encode(), control::raw(control));
        let asked = builder.finished_data();
        // SAFETY: as in `save_raw`.
        let answer = Buffer::fill(|buffer, error| unsafe {
            sys::stowage_model_recommend_watched(self.0.as_ptr(), asked.as_ptr(), asked.len(), control, buffer, error)
        })?;
        Ok(decode_recommendations(answer.bytes()))
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
    let (builder, control) = (usage.encode(), control::raw(control));
    let bytes = builder.finished_data();
    // SAFETY: all pointers are valid during the call; `control` may be null.
    let answer = Buffer::fill(|buffer, error| unsafe {
        sys::stowage_size_watched(bytes.as_ptr(), bytes.len(), control, buffer, error)
    })?;
    Ok(decode_sizes(answer.bytes()))
}

type Builder = FlatBufferBuilder<'static>;

fn finish(builder: &mut Builder, kind: wire::LearningBody, body: WIPOffset<UnionWIPOffset>) {
    let root = wire::Learning::create(builder, &wire::LearningArgs { format: 1, body_type: kind, body: Some(body) });
    builder.finish(root, Some(wire::LEARNING_IDENTIFIER));
}

macro_rules! texts {
    ($builder:expr, $list:expr) => {{
        let offsets: Vec<_> = $list.iter().map(|text| $builder.create_string(text)).collect();
        $builder.create_vector(&offsets)
    }};
}
macro_rules! optional {
    ($builder:expr, $list:expr) => {
        (!$list.is_empty()).then(|| $builder.create_vector(&$list))
    };
}

impl Samples {
    fn encode(&self, builder: &mut Builder) -> WIPOffset<wire::Samples<'static>> {
        let features: Vec<_> = self
            .features
            .iter()
            .map(|feature| match feature {
                Feature::Numbers { name, numbers } => {
                    let (name, numbers) = (builder.create_string(name), builder.create_vector(numbers));
                    wire::Feature::create(builder, &wire::FeatureArgs { name: Some(name), numbers: Some(numbers), words: None })
                }
                Feature::Words { name, words } => {
                    let (name, words) = (builder.create_string(name), texts!(builder, words));
                    wire::Feature::create(builder, &wire::FeatureArgs { name: Some(name), numbers: None, words: Some(words) })
                }
            })
            .collect();
        let args = wire::SamplesArgs {
            measure: match self.measure {
                Measure::Performance => wire::Measure::Performance,
                Measure::Latency => wire::Measure::Latency,
            },
            resources: Some(texts!(builder, self.resources)),
            apps: Some(texts!(builder, self.apps)),
            features: optional!(builder, features),
            asked: optional!(builder, self.asked),
            row_app: Some(builder.create_vector(&self.row_app)),
            row_amounts: Some(builder.create_vector(&self.row_amounts)),
            row_collocation: optional!(builder, self.row_collocation),
            row_value: Some(builder.create_vector(&self.row_value)),
        };
        wire::Samples::create(builder, &args)
    }
}

impl Question {
    fn encode(&self) -> Builder {
        let mut builder = FlatBufferBuilder::new();
        let samples = self.samples.encode(&mut builder);
        let cost = optional!(builder, self.goal.cost);
        let args =
            wire::GoalArgs { value: self.goal.value, confidence: self.goal.confidence, cost, keep_asked: self.goal.keep_asked };
        let goal = wire::Goal::create(&mut builder, &args);
        let args = wire::QuestionArgs { samples: Some(samples), goal: Some(goal), curves: self.curves };
        let body = wire::Question::create(&mut builder, &args);
        finish(&mut builder, wire::LearningBody::Question, body.as_union_value());
        builder
    }
}

impl Usage {
    fn encode(&self) -> Builder {
        let mut builder = FlatBufferBuilder::new();
        let rules: Vec<_> = self
            .rules
            .iter()
            .map(|rule| {
                let args = wire::SizeRuleArgs {
                    percentile: rule.percentile,
                    half_life: rule.half_life,
                    window: rule.window,
                    margin: rule.margin,
                    bump: rule.bump,
                    floor: rule.floor,
                    ceiling: rule.ceiling,
                    uncertain: rule.uncertain,
                };
                wire::SizeRule::create(&mut builder, &args)
            })
            .collect();
        let args = wire::UsageArgs {
            apps: Some(texts!(builder, self.apps)),
            resources: Some(texts!(builder, self.resources)),
            app: Some(builder.create_vector(&self.app)),
            replica: optional!(builder, self.replica),
            time: Some(builder.create_vector(&self.time)),
            amount: Some(builder.create_vector(&self.amount)),
            out_of_memory: optional!(builder, self.out_of_memory),
            rules: Some(builder.create_vector(&rules)),
            periods: self.periods,
            cycle: self.cycle,
        };
        let body = wire::Usage::create(&mut builder, &args);
        finish(&mut builder, wire::LearningBody::Usage, body.as_union_value());
        builder
    }
}

fn learning(bytes: &[u8]) -> wire::Learning<'_> {
    // SAFETY: the library has made these bytes.
    unsafe { wire::root_as_learning_unchecked(bytes) }
}

macro_rules! read {
    ($from:ident, $($field:ident),*) => { ($($from.$field().iter().collect::<Vec<_>>()),*) };
}

fn owned<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    texts.map(str::to_owned).collect()
}

fn indices(column: impl Iterator<Item = u32>) -> Vec<Option<u32>> {
    column.map(|index| (index != u32::MAX).then_some(index)).collect()
}

fn curve(column: Option<flatbuffers::Vector<'_, f64>>) -> Vec<f64> {
    column.map(|values| values.iter().collect()).unwrap_or_default()
}

fn decode_recommendations(bytes: &[u8]) -> Recommendations {
    let from = learning(bytes).body_as_recommendations().expect("the library answers with recommendations");
    let reasons = from.reason().iter().map(|reason| match reason {
        wire::RecommendationReason::MeetsGoal => RecommendationReason::MeetsGoal,
        wire::RecommendationReason::GoalOutOfReach => RecommendationReason::GoalOutOfReach,
        _ => RecommendationReason::NotEnoughEvidence,
    });
    let (amounts, collocation, probability, runner_up_probability) =
        read!(from, amounts, collocation, probability, runner_up_probability);
    let (cost, saving_asked, saving_largest, next_saving, samples, similar) =
        read!(from, cost, saving_asked, saving_largest, next_saving, samples, similar);
    Recommendations {
        resources: owned(from.resources().iter()),
        amounts,
        collocation,
        apps: owned(from.apps().iter()),
        reason: reasons.collect(),
        choice: indices(from.choice().iter()),
        probability,
        runner_up: indices(from.runner_up().iter()),
        runner_up_probability,
        cost,
        saving_asked,
        saving_largest,
        next_sample: indices(from.next_sample().iter()),
        next_saving,
        samples,
        similar,
        curve_mean: curve(from.curve_mean()),
        curve_low: curve(from.curve_low()),
        curve_high: curve(from.curve_high()),
        curve_probability: curve(from.curve_probability()),
    }
}

fn decode_sizes(bytes: &[u8]) -> Sizes {
    let from = learning(bytes).body_as_sizes().expect("the library answers with sizes");
    let (size, slack, exceeded, demand) = read!(from, size, slack, exceeded, demand);
    let (demand_slack, demand_exceeded, measured) = read!(from, demand_slack, demand_exceeded, measured);
    let (first, last, killed) = read!(from, first, last, killed);
    Sizes {
        apps: owned(from.apps().iter()),
        resources: owned(from.resources().iter()),
        periods: from.periods(),
        size,
        slack,
        exceeded,
        demand,
        variance: curve(from.variance()),
        demand_slack,
        demand_exceeded,
        measured,
        first,
        last,
        killed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
