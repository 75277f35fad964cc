import { describeStories } from '../harness/kubectl-stories.ts';

const forbidden = (verb: string): string =>
  `Error from server (Forbidden): configmaps is forbidden: User "alice" cannot ${verb} resource "configmaps" in API group "" in the namespace "$NS"`;

// Source: what kubectl prints with a real kube-apiserver (spec/kubectl.md sections 3 to 5).
describeStories({
  'who may do what': [
    { run: 'auth can-i create pods', out: 'yes' },
    { run: 'auth can-i create pods --as=alice', code: 1, out: /^no/ },
    { run: 'auth can-i --list --as=alice', out: /selfsubjectaccessreviews.authorization.k8s.io/ },
    { run: 'auth whoami', since: 28, out: /^ATTRIBUTE VALUE\nUsername kubernetes-admin\n/ },
    {
      run: 'auth whoami --as=alice --as-group=developers -o jsonpath={.status.userInfo.groups}',
      since: 28,
      out: '["developers","system:authenticated"]',
    },
    { run: 'get cm --as=alice', code: 1, err: forbidden('list') },
    { run: 'get cm --as=bob --as-group=system:masters -o name', out: 'configmap/kube-root-ca.crt' },
    {
      run: 'create role reader --verb=get,list --resource=configmaps',
      out: 'role.rbac.authorization.k8s.io/reader created',
    },
    {
      run: 'create rolebinding readers --role=reader --group=developers',
      out: 'rolebinding.rbac.authorization.k8s.io/readers created',
    },
    { run: 'get cm --as=alice --as-group=developers -o name', out: 'configmap/kube-root-ca.crt' },
    {
      run: 'create cm x --as=alice --as-group=developers',
      code: 1,
      err: `error: failed to create configmap: ${forbidden('create').replace('Error from server (Forbidden): ', '')}`,
    },
    {
      run: 'get rolebindings -o wide',
      out: 'NAME ROLE AGE USERS GROUPS SERVICEACCOUNTS\nreaders Role/reader AGE developers',
    },
    { run: 'get roles', out: /^NAME CREATED AT\nreader \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ },
    { run: 'create token default', out: /^[\w-]+\.[\w-]+\.[\w-]+$/ },
    { run: 'create token unknown', code: 1, err: /serviceaccounts "unknown" not found/ },
    {
      run: 'auth reconcile -f -',
      stdin: JSON.stringify({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'again', namespace: '$NS' },
        rules: [],
      }),
      out: /^role.rbac.authorization.k8s.io\/again reconciled/,
      err: /reconciliation required create/,
    },
    {
      run: 'create clusterrole c-$NS --verb=get --resource=nodes',
      out: 'clusterrole.rbac.authorization.k8s.io/c-$NS created',
    },
  ],
  'what the server has': [
    {
      run: 'version -o json',
      out: /"serverVersion": \{[^]*"gitVersion": "v1\.37\.2"/,
      outIn: { 1.32: /"serverVersion": \{[^]*"gitVersion": "v1\.32\.0"/ },
      err: /.*/,
    },
    {
      run: 'api-resources --api-group=apps',
      out: 'NAME SHORTNAMES APIVERSION NAMESPACED KIND\ncontrollerrevisions apps/v1 true ControllerRevision\ndaemonsets ds apps/v1 true DaemonSet\ndeployments deploy apps/v1 true Deployment\nreplicasets rs apps/v1 true ReplicaSet\nstatefulsets sts apps/v1 true StatefulSet',
    },
    { run: 'api-resources --namespaced=false -o name', out: /^namespaces\nnodes\npersistentvolumes\n/m },
    { run: 'api-resources --categories=all -o name', out: /^pods$/m },
    { run: 'api-versions', out: /^admissionregistration.k8s.io\/v1\n[^]*\nv1$/ },
    { run: 'cluster-info', out: /control plane.* is running at/ },
    { run: 'get --raw /readyz', out: 'ok' },
    { run: 'get --raw /healthz/ping', out: 'ok' },
    {
      run: 'get --raw /version',
      out: /"gitVersion": ?"v1.37.2"/,
      outIn: { 1.32: /"gitVersion": ?"v1.32.0"/ },
    },
    {
      run: 'get --raw /nothing',
      code: 1,
      err: 'Error from server (NotFound): the server could not find the requested resource',
    },
    { run: 'explain pod', out: /^KIND: Pod\nVERSION: v1\n[^]*\n spec\t<PodSpec>/ },
    { run: 'explain deployment.spec.template.spec.containers.image', out: /FIELD: image <string>/ },
    { run: 'explain hpa.spec.metrics', out: /FIELD: metrics <\[\]MetricSpec>/ },
    { run: 'explain pod.spec.zork', code: 1, out: /.*/, err: 'error: field "zork" does not exist' },
    { run: 'explain pod --recursive', out: /ephemeralContainers/ },
  ],
  'every resource can be listed': [
    { run: 'get namespaces default kube-system', out: 'NAME STATUS AGE\ndefault Active AGE\nkube-system Active AGE' },
    {
      run: 'get svc -n default',
      out: /^NAME TYPE CLUSTER-IP EXTERNAL-IP PORT\(S\) AGE\nkubernetes ClusterIP 10\.0\.0\.1 <none> 443\/TCP AGE$/,
    },
    {
      run: 'get priorityclasses',
      out: /^NAME VALUE GLOBAL-DEFAULT AGE PREEMPTIONPOLICY\nsystem-cluster-critical 2000000000 false AGE PreemptLowerPriority\nsystem-node-critical 2000001000 false AGE PreemptLowerPriority$/m,
    },
    { run: 'get clusterroles cluster-admin view', out: /^NAME CREATED AT\ncluster-admin \S+Z\nview \S+Z$/ },
    {
      run: 'get clusterrolebindings cluster-admin -o wide',
      out: 'NAME ROLE AGE USERS GROUPS SERVICEACCOUNTS\ncluster-admin ClusterRole/cluster-admin AGE system:masters',
    },
    {
      run: 'get pods,deploy,rs,sts,ds,jobs,cj,rc,hpa,pdb,ing,netpol,pvc,quota,limits,ep,endpointslices,leases,events,cm,sa,secrets,roles,rolebindings',
      out: /^NAME DATA AGE\nconfigmap\/kube-root-ca\.crt/,
      err: /.*/,
    },
    {
      run: 'get nodes,pv,sc,csidrivers,csinodes,volumeattachments,ingressclasses,runtimeclasses,priorityclasses,csr,mutatingwebhookconfigurations,validatingwebhookconfigurations,validatingadmissionpolicies,validatingadmissionpolicybindings,flowschemas,prioritylevelconfigurations',
      out: /priorityclass.scheduling.k8s.io\/system-node-critical/,
    },
  ],
});
