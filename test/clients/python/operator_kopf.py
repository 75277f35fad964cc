"""An operator of kopf with its webhook server against a running kadmit, whose kubeconfig is in KUBECONFIG."""

import asyncio
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import kopf
from kubernetes import client, config
from kubernetes.client.exceptions import ApiException

GROUP, VERSION, PLURAL = "kopf.example.com", "v1", "parrots"
PLACE = {"group": GROUP, "version": VERSION, "namespace": "default", "plural": PLURAL}


@kopf.on.startup()
def configure(settings, **_):
    settings.admission.server = kopf.WebhookServer(addr="127.0.0.1", host="127.0.0.1", **certificate)
    settings.admission.managed = "auto.kopf.example.com"
    settings.posting.enabled = True


@kopf.on.mutate(GROUP, VERSION, PLURAL)
def paint(spec, patch, warnings, **_):
    if "colour" not in spec:
        patch.spec["colour"] = "green"
        warnings.append("parrots are green")


@kopf.on.validate(GROUP, VERSION, PLURAL)
def alive(spec, **_):
    if spec.get("alive") is False:
        raise kopf.AdmissionError("this parrot is no more", code=418)


@kopf.on.create(GROUP, VERSION, PLURAL)
def speak(spec, **_):
    return {"says": f"I am {spec['colour']}"}


@kopf.on.delete(GROUP, VERSION, PLURAL)
def leave(**_):
    pass


def define():
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    schema = {"type": "object", "properties": {"spec": free, "status": free}}
    version = {"name": VERSION, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"plural": PLURAL, "singular": "parrot", "kind": "Parrot"}
    spec = {"group": GROUP, "scope": "Namespaced", "names": names, "versions": [version]}
    body = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": f"{PLURAL}.{GROUP}"}, "spec": spec}
    client.ApiextensionsV1Api().create_custom_resource_definition(body)


def until(what, holds):
    end = time.monotonic() + 30
    while not (found := holds()):
        if time.monotonic() > end:
            sys.exit(f"not within 30 s: {what}")
        time.sleep(0.05)
    return found


def parrot(name, **spec):
    return {"apiVersion": f"{GROUP}/{VERSION}", "kind": "Parrot", "metadata": {"name": name}, "spec": spec}


def installed():
    hooks = client.AdmissionregistrationV1Api()
    both = [hooks.list_mutating_webhook_configuration().items, hooks.list_validating_webhook_configuration().items]
    return all(any(one.webhooks for one in items) for items in both)


def use():
    parrots = client.CustomObjectsApi()
    until("kopf's webhooks are installed", installed)
    made = parrots.create_namespaced_custom_object(**PLACE, body=parrot("polly"))
    if made["spec"].get("colour") != "green":
        sys.exit(f"it was not painted: {made}")
    try:
        parrots.create_namespaced_custom_object(**PLACE, body=parrot("blue", alive=False))
        sys.exit("a dead one was let in")
    except ApiException as error:
        message = json.loads(error.body)["message"]
        if error.status != 418 or "denied the request: this parrot is no more" not in message:
            sys.exit(f"{error.status} {message}")
    get = lambda: parrots.get_namespaced_custom_object(**PLACE, name="polly")
    until("it speaks", lambda: get().get("status", {}).get("speak", {}).get("says") == "I am green")
    if not get()["metadata"]["finalizers"]:
        sys.exit("there is no finalizer")
    parrots.delete_namespaced_custom_object(**PLACE, name="polly")
    until("it is gone", lambda: not parrots.list_namespaced_custom_object(**PLACE)["items"])


def made_by_openssl(folder):
    pem, key = folder / "tls.crt", folder / "tls.key"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"]
    subprocess.run([*command, "-keyout", key, "-out", pem, *names], check=True, capture_output=True)
    return {"certfile": str(pem), "pkeyfile": str(key), "cafile": str(pem)}


config.load_kube_config()
scratch = tempfile.TemporaryDirectory()
certificate = made_by_openssl(Path(scratch.name))
define()
stop = threading.Event()
operator = threading.Thread(target=lambda: asyncio.run(kopf.operator(stop_flag=stop, namespace="default", standalone=True)))
operator.start()
try:
    use()
finally:
    stop.set()
    operator.join()
print("all is well")
