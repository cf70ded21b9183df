export type { AppColumns, NodeColumns } from './app-columns.js';
export type { Rows } from './column-parts.js';
export type {
  CardinalityColumns, CardinalityKind, ChanceModel, ClassColumns, GroupColumns, InterferenceColumns, LimitColumns, Origin, RuleColumns,
  UncertaintyColumns,
} from './class-columns.js';
export {
  decodeInstance, encodeInstance, type InstanceColumns, type ResidenceColumns, type Resource, type TrafficColumns,
} from './columns.js';
export {
  StowageWorker, WorkerInstance, WorkerModel, WorkerSession, startStowageWorker,
  type InstanceOptions, type RemoteExplainOptions, type RemoteOptions, type Run, type RunOptions, type WorkerOptions,
} from './client.js';
export {
  appName, columnsOf, describeInstance, listedName,
  type AppDescription, type ClassDescription, type ConditionDescription, type GroupDescription, type InstanceDescription,
  type NodeDescription, type PerApp, type PerResource, type Profile, type Quantity, type RuleDescription, type Tags,
} from './description.js';
export { encodeDerivation } from './derivation.js';
export { StowageError, type ErrorCode, type StatusCode } from './errors.js';
export type {
  AppChange, ClassChange, Derivation, Feature, Goal, Measure, Question, ResourceFactors, Samples, SizeRule, Usage,
} from './given.js';
export { Kubernetes, loadKubernetes, type ClusterAnswer, type ClusterInstance, type ClusterObjects, type ClusterOptions } from './kubernetes.js';
export type { Configuration, Recommendation, RecommendationReason, Recommendations, Sizes } from './learning.js';
export { NONE, type Doubles, type Words } from './lists.js';
export { Instance, Model, Session, Stowage, type ExplainOptions } from './library.js';
export type { LoadOptions } from './compile.js';
export { loadStowage } from './load.js';
export { encodeOperations, type AddNodeOperation, type Batch, type Operation, type OperationSource, type SubmitOperation } from './operations.js';
export type { Limits } from './abi.js';
export type { CallOptions, Phase, Progress, Watch } from './watch.js';
export { Placements, type RuleViolations, type Score } from './placements.js';
export { Plan, nodeNames, planToCsv, type PlanJson } from './plan.js';
export type { PlanFields } from './plan-fields.js';
export {
  describePlan, explanationBytes, explanationToText, planOf, planToHtml, planToJson, planToSvg, planToText, type BoundDescription, type PlanDescription,
} from './plan-description.js';
export type { Bound, LeftOver, Note, NoteCode, Placed, PlanStatus, ReachedGoal, TracedPart, Unplaced } from './plan-records.js';
export { NamedPlacements, namedPlacements, type NamedPlaced } from './named.js';
export { isPlanCsv, planFromCsv } from './plan-reader.js';
export { expandPlan } from './plan-writer.js';
export type { PlannerName } from './planner-name.js';
export type { WorkerLike } from './platform.js';
export { parseQuantity } from './quantities.js';
export type { LossQuestion, MoveLimits, OverriddenRule } from './report-parts.js';
export type {
  AppExplanation, BoundEntry, CloseNode, ClusterMetrics, Commit, Conflict, ConflictKind, Driver, DriverKind, Explanation, Headroom,
  HeadroomOfApps, Loss, Move, MoveOrder, Obstacle, ObstacleKind, OptionInfo, PlannerInfo, Relaxation, RelaxationKind, ResourceUse,
  RuleViolation, Suffering, Verification, Violation, ViolationKind,
} from './reports.js';
export { EACH_NODE, type AnyPlanner, type CommitMode } from './request-parts.js';
export type { GoalKind, Kept, Objective, PlanGoal, PlanRequest, SoftPolicy } from './request.js';
export type { InJson } from './shown.js';
export { instanceBytes, instanceToJson, type InstanceSource } from './source.js';
export { loadText } from './text.js';
