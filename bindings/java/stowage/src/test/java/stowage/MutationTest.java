package stowage;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Changed bytes for every reader of bytes from elsewhere: an answer, or {@link StowageException}. The system property {@code
 * stowage.test.mutations} is their number.
 */
@Timeout(7200)
class MutationTest {
  private static final int COUNT = Integer.getInteger("stowage.test.mutations", 4000);
  /** Processor time: a machine that is busy must not fail the test. */
  private static final long MOST_MS = 1000;
  private static final long MOST_BYTES = 50L << 20;

  private record Reader(String name, List<byte[]> seeds, Function<ByteBuffer, Object> read) {}

  private static byte[] array(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return copy;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A letter for each byte. */
  private static String text(ByteBuffer bytes) {
    return StandardCharsets.ISO_8859_1.decode(bytes).toString();
  }

  private static List<Reader> readers() {
    ByteBuffer racks = Support.racks().bytes();
    Instance instance = Instance.load(racks, Limits.DEFAULTS);
    Session session = Session.open(racks);
    session.apply(new Operation.Cordon("n1"));
    byte[] snapshot = array(session.snapshot());
    Plan tight = instance.plan(Request.builder("ff").nodeLimit(6).build());
    Plan compact;
    try (Instance alike = Support.alike().build()) {
      compact = alike.plan(Request.builder("ff").nodeLimit(1).compact(true).build());
    }
    Plan forSession = session.plan(Request.of("ff"));
    Model model = Model.learn(PublicFunctions.PROFILES);
    List<byte[]> instances = List.of(
        array(racks), snapshot, array(Support.small().bytes()), array(Support.uncertain().bytes()),
        Support.instanceBytes("shop"));
    List<byte[]> plans = List.of(array(tight.bytes()), array(compact.bytes()));
    byte[] operations = array(Session.encoded(
        Operation.Submit.of("new", 2, 1, 2).withTags("t").withLimits(Map.of("new", 1, "web", 2)),
        Operation.AddNode.of("n9", "machine").withLoad(1, 1).withSet("rack", "r1"), new Operation.Scale("web", 3),
        new Operation.Pin("web", "n2", 1), new Operation.Drain("n4")));
    List<Reader> all = new ArrayList<>();
    all.add(new Reader("Instance.load", instances, bytes -> {
      try (Instance loaded = Instance.load(bytes, Limits.DEFAULTS)) {
        return loaded.fingerprint();
      }
    }));
    all.add(new Reader("Session.open", instances, bytes -> {
      try (Session opened = Session.open(bytes)) {
        return opened.cluster();
      }
    }));
    all.add(new Reader("Cluster.read", instances, Cluster::read));
    all.add(new Reader("Json.of", instances, Json::of));
    all.add(new Reader("Plan.read", plans, bytes -> Plan.read(bytes, Limits.DEFAULTS, null)));
    all.add(new Reader("Cluster.name", plans.subList(0, 1), bytes -> {
      Plan plan = Plan.read(bytes, Limits.DEFAULTS, null);
      return List.of(Cluster.read(racks).name(plan), Cluster.read(racks).nodeNames(plan));
    }));
    all.add(new Reader("verify", plans.subList(0, 1), instance::verify));
    all.add(new Reader("explain", plans.subList(0, 1), bytes -> {
      Plan plan = Plan.read(bytes, Limits.DEFAULTS, null);
      return List.of(instance.headroomOfApps(plan, 0), instance.losses(plan, ""), instance.orderMoves(plan, 0, 1));
    }));
    all.add(new Reader("Json.of plan", plans.subList(0, 1), bytes -> Json.of(racks, Plan.read(bytes, Limits.DEFAULTS, null))));
    all.add(new Reader("commit", List.of(array(forSession.bytes())), bytes -> {
      try (Session opened = Session.open(ByteBuffer.wrap(snapshot))) {
        return opened.commit(bytes, CommitMode.FITTING);
      }
    }));
    all.add(new Reader("reject", List.of(array(forSession.bytes())), bytes -> {
      session.reject(bytes);
      return session.plan(Request.of("ff"));
    }));
    all.add(new Reader("applyBytes", List.of(operations), bytes -> {
      try (Session opened = Session.open(ByteBuffer.wrap(snapshot))) {
        opened.applyBytes(bytes);
        return opened.cluster();
      }
    }));
    all.add(new Reader("Model.load", List.of(array(model.save())), bytes -> {
      try (Model loaded = Model.load(bytes)) {
        return loaded.recommend(PublicFunctions.QUESTION);
      }
    }));
    all.add(new Reader("Json.instance", List.of(utf8(Json.of(racks))), bytes -> Json.of(Json.instance(text(bytes)))));
    all.add(new Reader(
        "Json.plan", List.of(utf8(Json.of(racks, tight))), bytes -> Json.plan(racks, text(bytes))));
    all.add(new Reader(
        "Json.operations", List.of(utf8("[{\"op\": \"submit\", \"app\": \"mail\", \"replicas\": 2, \"demand\": {\"cpu\": 1}}]")),
        bytes -> Json.operations(racks, text(bytes))));
    return all;
  }

  /** A copy with some bytes changed, or cut. Words are where lengths, offsets and indices stand. */
  private static byte[] mutated(byte[] seed, Random random) {
    byte[] bytes = seed.clone();
    int changes = 1 + (random.nextInt(3) == 0 ? random.nextInt(8) : 0);
    for (int k = 0; k < changes; ++k) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(6)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt(256);
        case 2 -> bytes[at] = new byte[] {0, 1, 0x7f, -128, -1}[random.nextInt(5)];
        case 3 -> word(bytes, at, random.nextInt(1 << 1 + random.nextInt(20)));
        case 4 -> word(bytes, at, new int[] {0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, bytes.length}[random.nextInt(5)]);
        default -> System.arraycopy(bytes, random.nextInt(bytes.length - 3), bytes, Math.min(at, bytes.length - 4), 4);
      }
    }
    return random.nextInt(20) == 0 ? java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
  }

  private static void word(byte[] bytes, int at, int value) {
    for (int k = 0; k < 4; ++k) {
      bytes[Math.min(at & ~3, bytes.length - 4) + k] = (byte) (value >> 8 * k);
    }
  }

  /** Reads all of an answer, and fails for a string that UTF-8 cannot write or that stands for bytes that were none. */
  private static void walk(Object value) throws ReflectiveOperationException {
    switch (value) {
      case String text -> assertTrue(
          StandardCharsets.UTF_8.newEncoder().canEncode(text) && text.indexOf('\ufffd') < 0, () -> "no UTF-8: " + text);
      case List<?> list -> {
        for (Object one : list) {
          walk(one);
        }
      }
      case Optional<?> one -> walk(one.orElse(null));
      case Record one -> {
        for (RecordComponent component : one.getClass().getRecordComponents()) {
          walk(component.getAccessor().invoke(one));
        }
      }
      case null, default -> {
        // A number.
      }
    }
  }

  @Test
  void everyReaderAnswersOrRefuses() throws Exception {
    ThreadMXBean meter = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    List<Reader> readers = readers();
    for (Reader reader : readers) {
      for (byte[] seed : reader.seeds) {
        walk(reader.read.apply(ByteBuffer.wrap(seed)));
      }
    }
    Map<String, long[]> most = new TreeMap<>();
    Random random = new Random(COUNT);
    for (int k = 0; k < COUNT; ++k) {
      Reader reader = readers.get(k % readers.size());
      byte[] seed = reader.seeds.get(random.nextInt(reader.seeds.size()));
      byte[] bytes = mutated(seed, random);
      long heap = meter.getCurrentThreadAllocatedBytes();
      long time = meter.getCurrentThreadCpuTime();
      boolean refused = false;
      try {
        walk(reader.read.apply(ByteBuffer.wrap(bytes)));
      } catch (StowageException failure) {
        refused = true;
        assertTrue(failure.status() != Status.INTERNAL, () -> reader.name + ": " + failure.getMessage());
      } catch (Throwable failure) {
        throw new AssertionError(reader.name + " of " + java.util.HexFormat.of().formatHex(bytes), failure);
      }
      time = (meter.getCurrentThreadCpuTime() - time) / 1_000_000;
      heap = meter.getCurrentThreadAllocatedBytes() - heap;
      long[] of = most.computeIfAbsent(reader.name, name -> new long[4]);
      ++of[0];
      of[1] += refused ? 1 : 0;
      of[2] = Math.max(of[2], time);
      of[3] = Math.max(of[3], heap);
    }
    most.forEach((name, of) -> System.out.println(
        "%s: %d changed, %d refused, most processor time %d ms, most allocated %d KB".formatted(
            name, of[0], of[1], of[2], of[3] >> 10)));
    most.forEach((name, of) -> {
      assertTrue(of[2] <= MOST_MS, () -> name + " takes " + of[2] + " ms");
      assertTrue(of[3] <= MOST_BYTES, () -> name + " takes " + of[3] + " bytes");
      assertTrue(of[1] > 0 && (of[1] < of[0] || name.equals("Model.load")), () -> name + " refuses " + of[1] + " of " + of[0]);
    });
  }
}
