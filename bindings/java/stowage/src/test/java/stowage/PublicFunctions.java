package stowage;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Something that a program may do with each function of the library, on objects that are shared with others: on an instance, a
 * session, a model and a control that calls may be using or that may be closed.
 */
final class PublicFunctions implements AutoCloseable {
  static final Samples PROFILES = Samples.of(
      List.of("cpu"), List.of("a", "b"), new int[] {0, 0, 1, 1}, new double[] {1, 2, 1, 2},
      new double[] {0.4, 0.9, 0.5, 0.9});
  static final Question QUESTION = Question.of(
      Samples.of(List.of("cpu"), List.of("new"), new int[] {0}, new double[] {1}, new double[] {0.45}),
      Goal.of(0.8));
  static final Usage USAGE = Usage.of(
      List.of("web"), List.of("cpu"), new int[2], new double[] {0, 60}, new double[] {1, 2},
      List.of(SizeRule.of(0.75)));

  final Instance instance;
  final Instance derived;
  final Session session;
  final Model model = Model.learn(PROFILES);
  final ByteBuffer bytes;
  final Plan plan;
  final ByteBuffer sessionPlan;

  PublicFunctions(ByteBuffer bytes) {
    this.bytes = bytes;
    instance = Instance.load(bytes, Limits.DEFAULTS);
    derived = instance.derive(new Derivation());
    session = Session.open(bytes);
    plan = instance.plan(Request.of("ff"));
    sessionPlan = session.plan(Request.of("ff")).bytes();
  }

  /** What is done, with a control or null, by the name of the function in {@code stowage.h}. */
  Map<String, Consumer<Control>> all() {
    Map<String, Consumer<Control>> all = new TreeMap<>();
    all.put("stowage_bound", instance::bounds);
    all.put("stowage_buffer_free", control -> instance.verify(plan.bytes(), control));
    all.put("stowage_check", control -> Plan.read(plan.bytes(), Limits.DEFAULTS, control));
    all.put("stowage_control_cancel", control -> own(Control::cancel));
    all.put("stowage_control_free", control -> own(Control::close));
    all.put("stowage_control_new", control -> own(ignored -> {}));
    all.put("stowage_control_progress", control -> own(Control::progress));
    all.put("stowage_control_reset", control -> own(Control::reset));
    all.put("stowage_control_set_deadline", control -> own(it -> it.setDeadline(Duration.ofSeconds(1))));
    all.put("stowage_explain", control -> instance.explain(plan, control));
    all.put("stowage_headroom", control -> instance.headroom(plan, 0, 0, control));
    all.put("stowage_headroom_of_apps", control -> instance.headroomOfApps(plan, 0, control));
    all.put("stowage_instance_derive", control -> instance.derive(new Derivation().demand(0.5), null, control).close());
    all.put("stowage_instance_fingerprint", control -> instance.fingerprint());
    all.put("stowage_instance_free", control -> Instance.load(bytes, Limits.DEFAULTS, control).close());
    all.put("stowage_instance_load", control -> Cluster.read(bytes, Limits.DEFAULTS, control));
    all.put("stowage_instance_save", derived::save);
    all.put("stowage_losses", control -> instance.losses(plan, "", control));
    all.put("stowage_model_free", control -> Model.learn(PROFILES, Limits.DEFAULTS, control).close());
    all.put("stowage_model_learn", control -> Model.learn(PROFILES, Limits.DEFAULTS, control));
    all.put("stowage_model_load", control -> Model.load(model.save(), Limits.DEFAULTS, control));
    all.put("stowage_model_recommend", control -> model.recommend(QUESTION, control));
    all.put("stowage_model_save", model::save);
    all.put("stowage_order_moves", control -> instance.orderMoves(plan, 1, 1, control));
    all.put("stowage_plan", control -> instance.plan(Request.of("ff"), control));
    all.put("stowage_planners", control -> Stowage.planners());
    all.put("stowage_session_apply", control -> session.apply(control, new Operation.Scale("app-0", 1)));
    all.put("stowage_session_commit", control -> session.commit(sessionPlan, CommitMode.WHOLE, control));
    all.put("stowage_session_free", control -> Session.open(bytes, Limits.DEFAULTS, control).close());
    all.put("stowage_session_instance", control -> session.instance(control).close());
    all.put("stowage_session_open", control -> Session.open(bytes, Limits.DEFAULTS, control));
    all.put("stowage_session_plan", control -> session.plan(Request.of("ff"), control));
    all.put("stowage_session_reject", control -> session.reject(session.plan(Request.of("ff")).bytes(), control));
    all.put("stowage_session_snapshot", session::cluster);
    all.put("stowage_session_version", control -> session.version());
    all.put("stowage_size", USAGE::sizes);
    all.put("stowage_status_text", control -> Status.INVALID.nativeName());
    all.put("stowage_verify", control -> instance.verify(plan.bytes(), control));
    all.put("stowage_version", control -> Stowage.version());
    return all;
  }

  private static void own(Consumer<Control> use) {
    try (Control control = new Control()) {
      use.accept(control);
    }
  }

  @Override
  public void close() {
    instance.close();
    derived.close();
    session.close();
    model.close();
  }
}
