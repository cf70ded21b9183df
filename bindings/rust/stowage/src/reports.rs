use crate::codec::{known, list};
use crate::error::{Error, ErrorKind, Result};
use crate::records::{BoundEntry, Explanation, Loss, Move, Planner};
use crate::wire;

/// A placement rule and the rule that overrides it, as indices of the instance's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverriddenRule {
    pub rule: u32,
    pub by: u32,
}

impl Explanation {
    /// The bytes of the report (`report.fbs`).
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

fn internal(what: &str) -> Error {
    Error::new(ErrorKind::Internal, format!("the library returned {what} that cannot be read"), "")
}

/// Reads the body of a report as what it is.
pub(crate) fn body<'a, Body, Answer: From<Body>>(
    bytes: &'a [u8],
    body: impl Fn(&wire::Report<'a>) -> Option<Body>,
) -> Result<Answer> {
    let report = wire::root_as_report(bytes).map_err(|_| internal("a report"))?;
    body(&report).map(Into::into).ok_or_else(|| internal("another report"))
}

pub(crate) fn explanation(bytes: &[u8]) -> Result<Explanation> {
    let found: Explanation = body(bytes, wire::Report::body_as_explanation)?;
    Ok(Explanation { bytes: bytes.to_vec(), ..found })
}

/// The answer about several losses.
pub(crate) struct Losses(pub Vec<Loss>);

impl From<wire::Losses<'_>> for Losses {
    fn from(from: wire::Losses<'_>) -> Self {
        Self(list(from.losses()))
    }
}

/// The answer about several bounds.
pub(crate) struct Bounds(pub Vec<BoundEntry>);

impl From<wire::Bounds<'_>> for Bounds {
    fn from(from: wire::Bounds<'_>) -> Self {
        Self(list(from.entries()))
    }
}

pub(crate) fn catalogue(bytes: &[u8]) -> Result<Vec<Planner>> {
    let from = wire::root_as_catalogue(bytes).map_err(|_| internal("a catalogue"))?;
    Ok(list(from.planners()))
}

pub(crate) fn overridden(from: &wire::Explanation<'_>) -> Vec<OverriddenRule> {
    let by = from.overridden_by().into_iter().flatten();
    from.overridden().into_iter().flatten().zip(by).map(|(rule, by)| OverriddenRule { rule, by }).collect()
}

pub(crate) fn loss_moves(from: &wire::Loss<'_>) -> Vec<(u32, Option<u32>, u32)> {
    let (apps, targets) = (from.app().into_iter().flatten(), from.to().into_iter().flatten());
    let counts = from.count().into_iter().flatten();
    apps.zip(targets).zip(counts).map(|((app, to), count)| (app, known(to), count)).collect()
}

/// Cuts the moves of an order at the ends of its waves.
pub(crate) fn waves(from: &wire::MoveOrder<'_>) -> Vec<Vec<Move>> {
    let moves: Vec<Move> = list(from.moves());
    let mut begin = 0;
    let wave = |end: u32| {
        let wave = moves[begin..end as usize].to_vec();
        begin = end as usize;
        wave
    };
    from.wave_ends().into_iter().flatten().map(wave).collect()
}
