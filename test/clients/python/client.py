"""The official Python client against a running kadmit, whose kubeconfig is in KUBECONFIG."""

import base64
import json
import ssl
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from kubernetes import client, config, dynamic, watch
from kubernetes.client.exceptions import ApiException
from kubernetes.utils import create_from_dict

NAMESPACE = "default"


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found!r} instead of {wanted!r}")


def refused(what, code, says, call):
    try:
        call()
    except ApiException as error:
        status = json.loads(error.body)
        expect(f"{what}, code", error.status, code)
        if says not in status["message"]:
            sys.exit(f"{what}: {status['message']!r} does not say {says!r}")
    else:
        sys.exit(f"{what}: was not refused")


def config_map(name, **data):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name, labels={"set": "python"}), data=data)


def objects():
    core = client.CoreV1Api()
    for number in range(5):
        core.create_namespaced_config_map(NAMESPACE, config_map(f"map-{number}", a="1"))
    refused("a second one", 409, "already exists", lambda: core.create_namespaced_config_map(NAMESPACE, config_map("map-0")))
    refused("none", 404, 'configmaps "none" not found', lambda: core.read_namespaced_config_map("none", NAMESPACE))
    page = core.list_namespaced_config_map(NAMESPACE, label_selector="set=python", limit=3)
    rest = core.list_namespaced_config_map(NAMESPACE, label_selector="set=python", _continue=page.metadata._continue)
    expect("pages", (len(page.items), len(rest.items)), (3, 2))
    patched = core.patch_namespaced_config_map("map-0", NAMESPACE, {"data": {"b": "2", "a": None}})
    expect("a patch", patched.data, {"b": "2"})
    stale = config_map("map-0", c="3")
    stale.metadata.resource_version = page.items[0].metadata.resource_version
    refused("a stale update", 409, "the object has been modified", lambda: core.replace_namespaced_config_map("map-0", NAMESPACE, stale))
    seen = []
    stream = watch.Watch()
    core.delete_namespaced_config_map("map-4", NAMESPACE)
    since = rest.metadata.resource_version
    for event in stream.stream(core.list_namespaced_config_map, NAMESPACE, resource_version=since, timeout_seconds=10):
        seen.append((event["type"], event["object"].metadata.name))
        if event["type"] == "DELETED":
            stream.stop()
    expect("a watch", seen, [("MODIFIED", "map-0"), ("DELETED", "map-4")])
    core.delete_collection_namespaced_config_map(NAMESPACE, label_selector="set=python")
    expect("what is left", core.list_namespaced_config_map(NAMESPACE, label_selector="set=python").items, [])


def custom_objects():
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer", "minimum": 1}}}}}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "snakes.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "snakes", "singular": "snake", "kind": "Snake"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }
    create_from_dict(client.ApiClient(), definition)
    found = dynamic.DynamicClient(client.ApiClient())
    snakes = found.resources.get(api_version="example.com/v1", kind="Snake")
    snake = {"apiVersion": "example.com/v1", "kind": "Snake", "metadata": {"name": "one"}, "spec": {"size": 3}}
    for manager in ("first", "second"):
        applied = snakes.server_side_apply(body=snake, namespace=NAMESPACE, field_manager=manager)
    expect("managers", sorted(entry.manager for entry in applied.metadata.managedFields), ["first", "second"])
    snake["spec"]["size"] = 4
    refused("a conflict", 409, '.spec.size', lambda: snakes.server_side_apply(body=snake, namespace=NAMESPACE, field_manager="second"))
    snake["spec"]["size"] = 0
    snake["metadata"]["name"] = "two"
    refused("a size", 422, "should be greater than or equal to 1", lambda: snakes.create(body=snake, namespace=NAMESPACE))


class Refuser(BaseHTTPRequestHandler):
    def do_POST(self):
        review = json.loads(self.rfile.read(int(self.headers["content-length"])))
        status = {"code": 403, "message": "no secrets from " + review["request"]["userInfo"]["username"]}
        review["response"] = {"uid": review["request"]["uid"], "allowed": False, "status": status}
        answer = json.dumps(review).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


def webhook(folder):
    pem, key = folder / "tls.crt", folder / "tls.key"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"]
    subprocess.run([*command, "-keyout", key, "-out", pem, *names], check=True, capture_output=True)
    server = HTTPServer(("127.0.0.1", 0), Refuser)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"https://127.0.0.1:{server.server_port}/"
    hook = client.V1ValidatingWebhook(
        name="secrets.example.com",
        admission_review_versions=["v1"],
        side_effects="None",
        client_config=client.AdmissionregistrationV1WebhookClientConfig(url=url, ca_bundle=base64.b64encode(pem.read_bytes()).decode()),
        rules=[client.V1RuleWithOperations(api_groups=[""], api_versions=["v1"], resources=["secrets"], operations=["CREATE"])],
    )
    body = client.V1ValidatingWebhookConfiguration(metadata=client.V1ObjectMeta(name="secrets"), webhooks=[hook])
    client.AdmissionregistrationV1Api().create_validating_webhook_configuration(body)
    secret = client.V1Secret(metadata=client.V1ObjectMeta(name="one"))
    says = 'admission webhook "secrets.example.com" denied the request: no secrets from kubernetes-admin'
    refused("a secret", 403, says, lambda: client.CoreV1Api().create_namespaced_secret(NAMESPACE, secret))
    server.shutdown()


config.load_kube_config()
objects()
custom_objects()
with tempfile.TemporaryDirectory() as scratch:
    webhook(Path(scratch))
print("all is well")
