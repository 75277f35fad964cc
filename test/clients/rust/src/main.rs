//! kube-rs against a running kadmit, whose kubeconfig is in KUBECONFIG: objects, a derived definition, a reflector, a
//! controller, and a webhook as in its admission example.
mod admission;

use anyhow::{Result, ensure};
use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams};
use kube::runtime::controller::{Action, Controller};
use kube::runtime::wait::{await_condition, conditions};
use kube::runtime::{WatchStreamExt, reflector, watcher};
use kube::{Client, CustomResource, CustomResourceExt, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

#[derive(CustomResource, Deserialize, Serialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Crab", namespaced, status = "CrabStatus", shortname = "cb")]
pub struct CrabSpec {
    #[schemars(range(min = 2))]
    legs: i32,
    #[serde(default)]
    name: Option<String>,
}

#[derive(Deserialize, Serialize, Clone, Debug, Default, JsonSchema)]
pub struct CrabStatus {
    walks: bool,
}

#[tokio::main]
async fn main() -> Result<()> {
    // Two of the crates bring a provider each.
    let provider = rustls::crypto::ring::default_provider().install_default();
    ensure!(provider.is_ok(), "there is a provider already");
    let client = Client::try_default().await?;
    objects(client.clone()).await?;
    custom_objects(client.clone()).await?;
    admission::webhook(client).await?;
    println!("all is well");
    Ok(())
}

/// The code of a refusal and what it says.
pub fn refusal<T>(result: kube::Result<T>) -> (u16, String) {
    match result {
        Err(kube::Error::Api(status)) => (status.code, status.message.clone()),
        Err(other) => (0, other.to_string()),
        Ok(_) => (0, "it was not refused".into()),
    }
}

pub fn config_map(name: &str) -> ConfigMap {
    serde_json::from_value(json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name, "labels": { "set": "rust" } }
    }))
    .expect("a ConfigMap")
}

async fn objects(client: Client) -> Result<()> {
    let maps: Api<ConfigMap> = Api::default_namespaced(client);
    let (store, writer) = reflector::store();
    let watched = watcher(maps.clone(), watcher::Config::default().labels("set=rust").streaming_lists());
    let followed = tokio::spawn(reflector(writer, watched).default_backoff().applied_objects().for_each(|_| async {}));
    for name in ["one", "two", "three"] {
        maps.create(&PostParams::default(), &config_map(name)).await?;
    }
    let (code, _) = refusal(maps.create(&PostParams::default(), &config_map("one")).await);
    ensure!(code == 409, "a second one: {code}");
    let page = maps.list(&ListParams::default().labels("set=rust").limit(2)).await?;
    ensure!(page.items.len() == 2 && page.metadata.continue_.is_some(), "no pages");
    let apply = |manager: &str| PatchParams::apply(manager);
    let desired = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "one" }, "data": { "a": "1" } });
    maps.patch("one", &apply("first"), &Patch::Apply(&desired)).await?;
    let other = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "one" }, "data": { "a": "2" } });
    let (code, message) = refusal(maps.patch("one", &apply("second"), &Patch::Apply(&other)).await);
    ensure!(code == 409 && message.contains(r#"conflict with "first": .data.a"#), "apply: {code} {message}");
    maps.delete_collection(&DeleteParams::default(), &ListParams::default().labels("set=rust")).await?;
    tokio::time::timeout(Duration::from_secs(20), async {
        store.wait_until_ready().await.expect("a reflector");
        while !store.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await?;
    followed.abort();
    Ok(())
}

async fn custom_objects(client: Client) -> Result<()> {
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    let manager = PatchParams::apply("rust").force();
    definitions.patch("crabs.example.com", &manager, &Patch::Apply(Crab::crd())).await?;
    let established = await_condition(definitions, "crabs.example.com", conditions::is_crd_established());
    tokio::time::timeout(Duration::from_secs(20), established).await??;
    let crabs: Api<Crab> = Api::default_namespaced(client.clone());
    let lame = Crab::new("lame", CrabSpec { legs: 1, name: None });
    let (code, message) = refusal(crabs.create(&PostParams::default(), &lame).await);
    ensure!(code == 422 && message.contains("spec.legs in body should be greater than or equal to 2"), "{code} {message}");
    crabs.create(&PostParams::default(), &Crab::new("ferris", CrabSpec { legs: 8, name: None })).await?;
    let walk = |crab: Arc<Crab>, crabs: Arc<Api<Crab>>| async move {
        let status = json!({ "apiVersion": "example.com/v1", "kind": "Crab", "status": { "walks": true } });
        let manager = PatchParams::apply("controller").force();
        crabs.patch_status(&crab.name_any(), &manager, &Patch::Apply(&status)).await?;
        Ok::<_, kube::Error>(Action::await_change())
    };
    let controller = Controller::new(crabs.clone(), watcher::Config::default())
        .run(walk, |_, _, _| Action::requeue(Duration::from_secs(1)), Arc::new(crabs.clone()))
        .for_each(|_| async {});
    let running = tokio::spawn(controller);
    let walks = |crab: Option<&Crab>| crab.and_then(|one| one.status.as_ref()).is_some_and(|status| status.walks);
    tokio::time::timeout(Duration::from_secs(20), await_condition(crabs, "ferris", walks)).await??;
    running.abort();
    Ok(())
}
