import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Configuration;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import io.kubernetes.client.util.generic.options.PatchOptions;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The official Java client against a running kadmit, whose kubeconfig is in KUBECONFIG. */
public final class Official {
  public static void main(String[] args) throws Exception {
    ApiClient client = Config.defaultClient();
    client.setReadTimeout(0);
    Configuration.setDefaultApiClient(client);
    objects(client, new CoreV1Api(client));
    System.out.println("all is well");
    System.exit(0);
  }

  interface Call {
    void run() throws ApiException;
  }

  private static V1ConfigMap configMap(String name) {
    return new V1ConfigMap().metadata(new V1ObjectMeta().name(name).namespace("default").labels(Map.of("set", "official"))).data(Map.of("a", "1"));
  }

  private static void objects(ApiClient client, CoreV1Api core) throws Exception {
    var maps = new GenericKubernetesApi<>(V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
    var informers = new SharedInformerFactory(client);
    var informer = informers.sharedIndexInformerFor(maps, V1ConfigMap.class, 0, "default");
    informers.startAllRegisteredInformers();
    for (String name : new String[] {"uno", "due"}) core.createNamespacedConfigMap("default", configMap(name)).execute();
    refused(409, "already exists", () -> core.createNamespacedConfigMap("default", configMap("uno")).execute());
    refused(404, "configmaps \\\"none\\\" not found", () -> core.readNamespacedConfigMap("none", "default").execute());
    var page = core.listNamespacedConfigMap("default").labelSelector("set=official").limit(1).execute();
    check(page.getItems().size() == 1 && page.getMetadata().getContinue() != null, "no pages");
    var stale = core.readNamespacedConfigMap("uno", "default").execute();
    core.replaceNamespacedConfigMap("uno", "default", configMap("uno").data(Map.of("a", "2"))).execute();
    refused(409, "the object has been modified", () -> core.replaceNamespacedConfigMap("uno", "default", stale).execute());
    String desired = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"uno\"},\"data\":{\"a\":\"3\"}}";
    var options = new PatchOptions();
    options.setFieldManager("second");
    options.setForce(true);
    var applied = maps.patch("default", "uno", V1Patch.PATCH_FORMAT_APPLY_YAML, new V1Patch(desired), options).throwsApiException().getObject();
    check(applied.getData().equals(Map.of("a", "3")), "applied: " + applied.getData());
    until("the informer saw it", () -> {
      var held = informer.getIndexer().getByKey("default/uno");
      return held != null && held.getData().equals(Map.of("a", "3"));
    });
    core.deleteCollectionNamespacedConfigMap("default").labelSelector("set=official").execute();
    until("they are gone", () -> informer.getIndexer().getByKey("default/uno") == null);
    informers.stopAllRegisteredInformers();
  }

  private static void refused(int code, String says, Call call) {
    try {
      call.run();
    } catch (ApiException error) {
      check(error.getCode() == code && error.getResponseBody().contains(says), error.getCode() + " " + error.getResponseBody());
      return;
    }
    throw new IllegalStateException("it was not refused: " + says);
  }

  private static void until(String what, BooleanSupplier holds) throws InterruptedException {
    for (long end = System.nanoTime() + 20_000_000_000L; !holds.getAsBoolean(); Thread.sleep(20)) check(System.nanoTime() < end, "not within 20 s: " + what);
  }

  private static void check(boolean holds, String what) {
    if (!holds) throw new IllegalStateException(what);
  }
}
