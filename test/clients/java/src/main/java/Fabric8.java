import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** fabric8's client against a running kadmit, whose kubeconfig is in KUBECONFIG. */
public final class Fabric8 {
  private static final Map<String, String> LABELS = Map.of("set", "fabric8");

  public static void main(String[] args) throws Exception {
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      objects(client);
      customObjects(client);
      leaderElection(client);
    }
    System.out.println("all is well");
  }

  private static ConfigMap configMap(String name, Map<String, String> data) {
    return new ConfigMapBuilder().withMetadata(new ObjectMetaBuilder().withName(name).withLabels(LABELS).build()).withData(data).build();
  }

  private static void objects(KubernetesClient client) throws Exception {
    var maps = client.configMaps().inNamespace("default");
    var informer = maps.withLabels(LABELS).inform();
    for (String name : new String[] {"one", "two", "three"}) maps.resource(configMap(name, Map.of("a", "1"))).create();
    refused(409, "already exists", () -> maps.resource(configMap("one", Map.of())).create());
    var page = maps.withLabels(LABELS).list(new ListOptionsBuilder().withLimit(2L).build());
    check(page.getItems().size() == 2 && !page.getMetadata().getContinue().isEmpty(), "no pages");
    maps.withName("one").edit(map -> new ConfigMapBuilder(map).addToData("b", "2").build());
    var applied = configMap("one", Map.of("a", "3"));
    refused(409, ".data.a", () -> maps.resource(applied).fieldManager("second").serverSideApply());
    maps.resource(applied).fieldManager("second").forceConflicts().serverSideApply();
    until("the informer saw it", () -> {
      var held = informer.getStore().getByKey("default/one");
      return held != null && held.getData().equals(Map.of("a", "3", "b", "2"));
    });
    maps.withLabels(LABELS).delete();
    until("the informer is empty", () -> informer.getStore().list().isEmpty());
    informer.close();
  }

  private static void customObjects(KubernetesClient client) {
    String definition = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: beans.fabric8.example.com}
        spec:
          group: fabric8.example.com
          scope: Namespaced
          names: {plural: beans, singular: bean, kind: Bean}
          versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer, minimum: 1}}}}}}
        """;
    var sent = client.load(new ByteArrayInputStream(definition.getBytes(StandardCharsets.UTF_8)));
    sent.serverSideApply();
    var context = new ResourceDefinitionContext.Builder().withGroup("fabric8.example.com").withVersion("v1")
        .withKind("Bean").withPlural("beans").withNamespaced(true).build();
    until("beans are served", () -> client.hasApiGroup("fabric8.example.com", true));
    var beans = client.genericKubernetesResources(context).inNamespace("default");
    var bean = new GenericKubernetesResource();
    bean.setApiVersion("fabric8.example.com/v1");
    bean.setKind("Bean");
    bean.setMetadata(new ObjectMetaBuilder().withName("one").build());
    bean.setAdditionalProperty("spec", Map.of("size", 0));
    refused(422, "spec.size in body should be greater than or equal to 1", () -> beans.resource(bean).create());
    bean.setAdditionalProperty("spec", Map.of("size", 1));
    beans.resource(bean).create();
  }

  private static void leaderElection(KubernetesClient client) throws Exception {
    var leads = new CountDownLatch(1);
    var config = new LeaderElectionConfigBuilder().withName("test").withLock(new LeaseLock("default", "fabric8", "me"))
        .withLeaseDuration(Duration.ofSeconds(15)).withRenewDeadline(Duration.ofSeconds(10)).withRetryPeriod(Duration.ofMillis(200))
        .withReleaseOnCancel(true).withLeaderCallbacks(new LeaderCallbacks(leads::countDown, () -> {}, name -> {})).build();
    var running = client.leaderElector().withConfig(config).build().start();
    check(leads.await(20, TimeUnit.SECONDS), "there is no leader");
    running.cancel(true);
    until("the lease was given back", () -> "".equals(client.leases().inNamespace("default").withName("fabric8").get().getSpec().getHolderIdentity()));
  }

  private static void refused(int code, String says, Runnable call) {
    try {
      call.run();
    } catch (KubernetesClientException error) {
      check(error.getCode() == code && error.getMessage().contains(says), error.getCode() + " " + error.getMessage());
      return;
    }
    throw new IllegalStateException("it was not refused: " + says);
  }

  private static void until(String what, BooleanSupplier holds) {
    for (long end = System.nanoTime() + 20_000_000_000L; !holds.getAsBoolean();) {
      check(System.nanoTime() < end, "not within 20 s: " + what);
      try {
        Thread.sleep(20);
      } catch (InterruptedException interrupted) {
        throw new IllegalStateException(interrupted);
      }
    }
  }

  private static void check(boolean holds, String what) {
    if (!holds) throw new IllegalStateException(what);
  }
}
