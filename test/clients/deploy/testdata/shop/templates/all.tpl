apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-before
  annotations:
    helm.sh/hook: pre-install
    helm.sh/hook-weight: "1"
data:
  stage: before
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
  labels: { app.kubernetes.io/managed-by: {{ .Release.Service }} }
data:
  stage: {{ .Values.stage }}
  cluster: {{ .Capabilities.KubeVersion.Version }}
---
apiVersion: helm.example.com/v1
kind: Order
metadata:
  name: {{ .Release.Name }}
spec:
  count: 2
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: {{ .Release.Name }}
webhooks:
  - name: stages.shop.example.com
    clientConfig: { url: {{ .Values.url }}, caBundle: {{ .Values.caBundle }} }
    rules: [{ apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE, UPDATE] }]
    objectSelector: { matchLabels: { app.kubernetes.io/managed-by: Helm } }
    admissionReviewVersions: [v1]
    sideEffects: None
