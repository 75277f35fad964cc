use crate::{config_map, refusal};
use anyhow::{Result, ensure};
use axum::{Json, Router, routing::post};
use axum_server::tls_rustls::RustlsConfig;
use json_patch::jsonptr::PointerBuf;
use json_patch::{AddOperation, Patch, PatchOperation};
use k8s_openapi::ByteString;
use k8s_openapi::api::admissionregistration::v1::MutatingWebhookConfiguration;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DynamicObject, PostParams};
use kube::core::admission::{AdmissionRequest, AdmissionResponse, AdmissionReview};
use kube::{Client, ResourceExt};
use serde_json::{json, to_value};

/// Adds a label, and refuses what asks not to have it.
async fn mutate(Json(review): Json<AdmissionReview<DynamicObject>>) -> Json<AdmissionReview<DynamicObject>> {
    let request: AdmissionRequest<DynamicObject> = review.try_into().expect("a request");
    let answer = AdmissionResponse::from(&request);
    let Some(object) = &request.object else { return Json(answer.into_review()) };
    if object.labels().contains_key("illegal") {
        return Json(answer.deny("resource contained 'illegal' label").into_review());
    }
    let add = AddOperation { path: PointerBuf::from_tokens(["metadata", "labels", "admin"]), value: to_value("modified").unwrap() };
    let patched = answer.with_patch(Patch(vec![PatchOperation::Add(add)])).expect("a patch");
    Json(patched.into_review())
}

pub async fn webhook(client: Client) -> Result<()> {
    let own = rcgen::generate_simple_self_signed(["localhost".to_string(), "127.0.0.1".to_string()])?;
    let (certificate, key) = (own.cert.pem(), own.signing_key.serialize_pem());
    let tls = RustlsConfig::from_pem(certificate.clone().into(), key.into()).await?;
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let router = Router::new().route("/mutate", post(mutate));
    let serving = tokio::spawn(axum_server::from_tcp_rustls(listener, tls).serve(router.into_make_service()));
    let configuration: MutatingWebhookConfiguration = serde_json::from_value(json!({
        "metadata": { "name": "rust" },
        "webhooks": [{
            "name": "mutate.rust.example.com",
            "clientConfig": { "url": format!("https://localhost:{port}/mutate"), "caBundle": ByteString(certificate.into_bytes()) },
            "rules": [{ "apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"], "operations": ["CREATE"] }],
            "objectSelector": { "matchLabels": { "set": "rust" } },
            "admissionReviewVersions": ["v1"],
            "sideEffects": "None",
        }],
    }))?;
    let configurations: Api<MutatingWebhookConfiguration> = Api::all(client.clone());
    configurations.create(&PostParams::default(), &configuration).await?;
    let maps: Api<ConfigMap> = Api::default_namespaced(client);
    let made = maps.create(&PostParams::default(), &config_map("four")).await?;
    ensure!(made.labels().get("admin").map(String::as_str) == Some("modified"), "it was not changed: {made:?}");
    let mut illegal = config_map("five");
    illegal.labels_mut().insert("illegal".into(), "yes".into());
    let (code, message) = refusal(maps.create(&PostParams::default(), &illegal).await);
    let says = r#"admission webhook "mutate.rust.example.com" denied the request: resource contained 'illegal' label"#;
    ensure!(code == 400 && message == says, "{code} {message}");
    serving.abort();
    Ok(())
}
