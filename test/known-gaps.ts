/**
 * A known difference from kube-apiserver. docs/reference/fidelity.md is generated from these rows:
 * `npx vitest run --project unit test/docs.test.ts -u`.
 */
export interface KnownGap {
  readonly gap: string;
  /** The behaviour of kadmit. */
  readonly answer: string;
  readonly because: string;
  /** Recorded conversations that must differ because of it, those of other releases as `1.34/NAME`. When one agrees, its test fails: remove it here. */
  readonly facts?: readonly string[];
}

export const knownGaps: readonly KnownGap[] = [
  {
    gap: 'Kubernetes 1.33 to 1.35',
    answer:
      'has the tables, plugins, CEL functions and messages of that release ([releases](releases.md)), drops the fields of features that are off in it, applies its restrictions (names of Services, addresses, search domains, sleeps, spread constraints, quota scopes, restart policies), and omits warnings that were added later; other rules of validation, defaulting and admission are those of v1.36',
    because:
      'rules are compared one by one: the recorded conversations in which v1.34.0 differs from v1.36 were played, and those of v1.32.0 whose rules 1.33 has too; 89 objects of common kinds were compared with v1.34.0 and v1.35.0. The feature gates that are on in one of 1.33 to 1.36 and off in another were all checked, except those about updates of suspended Jobs, statuses of Nodes, claims and Deployments, the content of a ResourceSlice, constrained impersonation and the NodeRestriction plugin',
  },
  {
    gap: 'Kubernetes 1.33: values of rare types in messages',
    answer:
      'the types that the recorded conversations and the rules of common kinds show are printed as Go prints them, `[]string{"v9"}`; others by their JSON, pointers with an address that is always the same, and a quantity as it was written',
    because: 'the real address differs each time; the representation of a quantity depends on its history',
    facts: ['1.33/limitrange-object-invalid'],
  },
  {
    gap: 'Kubernetes 1.37: policies that index a list of a built-in object by a double inside a macro or behind `variables`',
    answer:
      '`object.spec.containers.all(c, c.args[dyn(0.0)] == "x")` is evaluated, as in 1.36; 1.37 says `unsupported index type: types.Double`, as kadmit does for `object.spec.containers[dyn(0.0)]`',
    because:
      'objects are the same JSON values for all expressions; only a path from a variable of the request is known to lead into one',
  },
  {
    gap: 'Kubernetes 1.37: validation of resource.k8s.io, and features that are off',
    answer:
      'errors of device classes, slices and claims have the order and texts of 1.36, apart from the immutable spec and allocation of a claim; fields of alpha features are kept unchecked where their gate is on; tokens of webhooks (APIServerWebhookAuthenticationToken) and the status of CSINodes (CSIVolumeHealth) are refused to a node as with the feature off, also where it is on',
    because: 'alpha features, and rules of drivers and schedulers: authors of webhooks and policies meet neither',
  },
  {
    gap: 'Kubernetes 1.33 to 1.36: rules about sets and maps in custom resources',
    answer:
      '`==` of lists with `x-kubernetes-list-type` `set` or `map` counts repeated members, `+` of sets of objects is an error, as in 1.37',
    because: 'upstream fixed a fault (#140293); expressions are compiled once for all releases',
  },
  {
    gap: 'Kubernetes 1.33 to 1.35: custom resources',
    answer:
      'the formats `k8s-short-name` and `k8s-long-name` are checked also in 1.33; documents of OpenAPI name `shardSelector` before 1.36; apply needs one key of an item, where 1.33 needs all',
    because: 'these rules are written for 1.36 alone',
  },
  {
    gap: 'Kubernetes 1.33 to 1.35: Pod Security',
    answer: 'the checks of the release, but its AppArmor annotations are checked as in v1.36',
    because: 'the checks are those of the newest library',
    facts: ['1.33/podsecurity-baseline-each-check-1'],
  },
  {
    gap: 'Kubernetes 1.33 to 1.35: reviews',
    answer:
      'a token request has a uid before webhooks see it; a rules review prints no `creationTimestamp: null` and its rules in the order of 1.36',
    because: 'not written yet',
    facts: ['1.33/auth-reviews', '1.33/review-token-request', '1.34/auth-reviews'],
  },
  {
    gap: 'Endpoints and EndpointSlice `kubernetes`',
    answer:
      'those of a served API server contain the address of the one that started last, also when several share a storage, and stay when it ends; worlds of scenarios and of the library have none; `--advertise-address` is not acted on',
    because: 'no server listens in a world, and the objects are not reconciled',
  },
  {
    gap: 'evictions after a conflict',
    answer: 'are retried at once, until they succeed or are refused',
    because:
      'kube-apiserver tries 20 times, half a second apart, and then responds with 409; immediate retries need fewer',
  },
  {
    gap: 'parameters of built-in kinds, where all policies with such parameters were gone for a while',
    answer: 'a new policy finds its parameters',
    because:
      'kube-apiserver of every release to 1.36 stops the informer of a built-in kind with its last policy and cannot start it again: later policies find no parameters until it is restarted, which is a fault',
  },
  {
    gap: 'releases before 1.33 and after 1.37',
    answer: 'the server does not start, and lists the supported releases',
    because: 'only these were compared',
  },
  {
    gap: 'CBOR (feature gate `CBORServingAndStorage`)',
    answer: '415 for bodies, 406 where nothing else is accepted',
    because: 'an alpha feature, off by default',
  },
  {
    gap: 'objects that another program wrote into etcd',
    answer:
      'a definition is stored as v1 and gets no condition NonStructuralSchema; metadata of a custom resource that no API server ' +
      'would store is returned unchanged; an object that cannot be decrypted is missing from lists and watches, which kube-apiserver ' +
      'refuses as a whole, and a server that finds one when it starts does not start',
    because: 'they cannot be created over the API',
  },
  {
    gap: 'custom resources',
    answer:
      'stub converters of a scenario answer kadmit only, no server of `--target`; those that `kadmit record` writes change the apiVersion alone',
    because: 'another server cannot be configured with their addresses; traces contain the converter, not its result',
  },
  {
    gap: 'a key that one JSON object has more than twice, or more than 16 times',
    answer:
      'items that a list had before a shorter value are lost; of very many values only the first 16 and the last must be valid. Of two invalid values the other one may be reported',
    because: 'Go decodes each value over the memory of the previous one; such bodies do not occur',
  },
  {
    gap: 'the first expression',
    answer: 'may delay other requests by a tenth of a second',
    because: 'an expression is compiled in one piece',
  },
  {
    gap: 'RSA keys of fewer than 2048 bits, of ServiceAccounts and of OIDC issuers',
    answer: 'count as no keys: nothing is signed with them, and tokens that they signed are refused',
    because: 'the JWT library that kadmit uses refuses them',
  },
  {
    gap: 'the signature inside a CertificateSigningRequest, where it is RSASSA-PSS',
    answer: 'is not checked; those of RSA with PKCS #1 v1.5, ECDSA and Ed25519 are',
    because: 'clients make no such ones',
  },
  {
    gap: 'users of a `kubeConfigFile` with `exec` or `as`',
    answer: 'the call fails and names the field; tokens, certificates and passwords are sent',
    because: 'no program is run, and webhook clients do not impersonate',
  },
  {
    gap: 'an object with thousands of errors',
    answer: 'the first 1,000, or as many as fit in 1 MiB of text, and the number of the others',
    because: 'all of them can take gigabytes',
  },
  {
    gap: 'JSON and YAML of 501 to 10,000 levels',
    answer: '`exceeded max depth`, which kube-apiserver returns from 10,001 levels on',
    because: 'a process that runs out of stack may end',
  },
  {
    gap: 'malformed YAML, and YAML that few write: U+2028 as a line break, an empty line behind a line break that is escaped, a comma in a tag, a block scalar as the whole document',
    answer:
      'of some malformed texts the error names another problem, or another line, than kube-apiserver’s (`did not find expected key`). U+2028 is a character (a line break follows it where a line of YAML that is written ends with it), the empty line is dropped, the comma ends the tag, and the block scalar needs no indentation',
    because: 'the parser is the library `yaml`, whose errors are translated as far as their code and place allow',
  },
  {
    gap: 'a body of YAML that is JSON',
    answer:
      'is read as JSON: the escapes `\\/` and `\\ud83d\\ude00` are read, and a key may be longer than 1,024 characters',
    because: 'clients of server-side apply send JSON, and YAML takes ten times as long',
  },
  {
    gap: 'a quantity of more than 1,000 digits',
    answer: '`unable to parse numeric part of quantity`',
    because: 'numbers of megabytes take seconds to read',
  },
  {
    gap: 'webhook answers of more than 8 MiB',
    answer: 'the call fails: `unexpected error when reading response body`; a compressed answer counts after unpacking',
    because: 'kube-apiserver reads a response of any length; a process that must stay up does not',
  },
  {
    gap: 'webhook responses that are not quite HTTP/1.1',
    answer:
      'the call fails where Go reads on: lines that end without a carriage return, headers folded over two lines, an interim 100, a 101, a 304 with a length, two equal lengths, a length beside chunks, a space behind the size of a chunk. The text of what Go refuses too is shorter where a line would be quoted (`malformed MIME header line`), and an unknown transfer encoding is read to the end of the connection',
    because: 'the parser is undici’s, and no server of webhooks was seen that sends these',
  },
  {
    gap: 'a faulty gzip body of a webhook',
    answer:
      '`flate: corrupt input` without the offset; one to nine bytes behind the last member that are no gzip header are an `invalid header`, where kube-apiserver says `unexpected EOF`',
    because: 'Node’s zlib reports neither the offset nor the member; the call fails on both',
  },
  {
    gap: 'requests pipelined on one HTTP/1.1 connection',
    answer:
      'run at the same time and are answered in order; two writes may take effect in another order than they were sent',
    because:
      'kube-apiserver serves one request after the other, and no client of Kubernetes pipelines: kubectl and client-go use HTTP/2',
  },
  {
    gap: 'requests that are not quite HTTP/1.1',
    answer: '400, 408 or 431 and a closed connection, as from kube-apiserver, with another body',
    because: 'the parser and its answers are Node’s and fastify’s',
  },
  {
    gap: 'codes from 600 to 999 in a refusal, over HTTP/2',
    answer: '500; the Status in the body has the code. Over HTTP/1.1 they are sent',
    because: 'Node sends no such code over HTTP/2',
  },
  {
    gap: 'bodies, and answers of converters, of more than 100,000 values',
    answer: '413; the conversion fails',
    because: 'each value delays all other requests a little; the largest CustomResourceDefinitions have some 25,000',
  },
  {
    gap: '`data` of a ControllerRevision that is no JSON, sent as protobuf',
    answer: '400 with the fault of the JSON; a ControllerRevision without data where it is empty',
    because: 'kube-apiserver panics over it and resets the stream',
  },
  {
    gap: '`/configz`, `/logs`, `/debug/pprof`',
    answer: '404',
    because: 'they describe the process, not admission',
  },
  {
    gap: 'audit events and metrics of requests that are refused before authentication',
    answer:
      'a body above 3 MiB or broken HTTP leaves no event and is not counted; the code of an event is that of the response before its encoding is negotiated, which may be refused with 406',
    because: 'they are refused before their user is known',
  },
  {
    gap: 'metrics of CEL in the schemas of custom resources (`apiserver_cel_compilation_duration_seconds`, `…_evaluation_duration_seconds`)',
    answer: 'they are there, as on every kube-apiserver, and stay 0',
    because: 'compiled schemas are shared by all servers of a process, so none can count them as its own',
  },
  {
    gap: 'audit events with Tables and metadata',
    answer: '`responseObject` is the object itself where the client asked for a Table or for metadata only',
    because: 'the event is created from the response before it is converted',
  },
  {
    gap: 'rules of alpha kinds (PodCertificateRequests, ResourcePoolStatusRequests, the status of StorageVersions), and fields of Pods that features open',
    answer:
      'types, names and metadata are checked; fields of features that are off are kept where kube-apiserver drops them',
    because: 'common kinds were implemented first',
  },
  {
    gap: 'a webhook that authorizes: `connectionInfo` of type InClusterConfig, metrics',
    answer:
      'the server does not start, as kube-apiserver outside of a cluster does not; nothing is counted of its calls',
    because: 'there is no cluster around kadmit; the log and the traces of requests are more important',
  },
  {
    gap: 'objects that a kube-apiserver stored in the same etcd',
    answer:
      'are read as they are stored, CustomResourceDefinitions as v1; what upstream fills in when it reads, such as `status.phase` of a PersistentVolumeClaim, is missing',
    because: 'kadmit fills in defaults when it writes; two kinds of servers on one etcd are meant for inspection only',
  },
  {
    gap: 'the status of APIServices; fields of `bootstrap` objects',
    answer:
      'Available of an aggregated API is not set; bootstrap objects have no managed fields; the rules of `admin`, `edit` and `view` are aggregated from the start, also without controllers',
    because: 'there is no aggregation to report',
  },
  {
    gap: 'descriptions of the columns of Tables',
    answer: 'are empty for built-in kinds',
    because: 'they are prose, which clients do not print',
  },
  {
    gap: 'the difference behind `pod updates may not change fields other than …` and its like',
    answer: 'is left out where one of the two specs has more than 5,000 lines of a hundred characters',
    because: 'comparing takes time with the square of the length',
  },
  {
    gap: 'rules that few objects meet, such as sources of pod certificates and trust bundles',
    answer: 'such a write may be admitted, or be refused with a shorter message; `npm run differ` lists them',
    because: 'common rules were implemented first',
  },
  {
    gap: 'the warning `fractional byte value` for a memory request of more than 9 PB that is written in digits and ends with three zeros or more, such as 1000000000000000000',
    answer: 'none, as for the same quantity written as `1E`',
    because:
      'a quantity is kept in its canonical form; kube-apiserver warns of whole bytes only because a product overflows',
  },
  {
    gap: 'feature gates',
    answer:
      'those count that open alpha and beta APIs, drop fields or decide about checks of addresses, names of Services, sleeps and spread constraints; every other known one is accepted, and one line on standard error says that it changes nothing',
    because: 'what kadmit does is what kube-apiserver v1.37 does by default',
  },
  {
    gap: 'what some flags of kube-apiserver are about: encryption at rest, egress proxies, aggregated servers and peers, kubelets, leases of API servers, how etcd is asked, watch caches, profiling, hidden metrics, plugins that sign tokens',
    answer:
      'none of it exists here; the flags are accepted, a value that kube-apiserver refuses is refused with its message, and a line on standard error lists the given flags without an effect',
    because: 'one process has one memory, no nodes to call and no peers',
  },
  {
    gap: 'a server that emulates an older version',
    answer:
      '`--emulated-version 1.36` is `--kubernetes-version 1.36`: `/version` names that release, without `emulationMinor`',
    because: 'there are tables for each release',
  },
  {
    gap: 'the time that a request was held at a webhook (`kadmit serve` and its page)',
    answer: 'deadlines stand still; the durations in metrics and spans count it',
    because: 'the difference explains itself',
  },
  {
    gap: 'scenarios: a watch that is dropped',
    answer:
      'a scenario watches nothing, so its `apiFaults` are 409 and 429; dropped and expired watches are for real clients: `kadmit serve` and `startKadmit` have them',
    because: 'a client that watches is a program of its own',
  },
  {
    gap: 'faults of the API (409, 429, watches) for real clients',
    answer: 'happen before anybody is authenticated; they leave no trace, no audit event and no metric',
    because: 'they precede authentication',
  },
  {
    gap: 'scenarios on another server: kubeconfigs with credential plugins, steps that `advance` the clock',
    answer: 'one line says which credential is needed; such steps are skipped and counted',
    because: 'a plugin is a foreign program; only a virtual clock can be advanced',
  },
  {
    gap: 'the page of a server in a container',
    answer: 'it listens on the loopback of the container and cannot be reached from outside',
    because: 'it shows what the server holds, and is for the person at this machine',
  },
  {
    gap: 'scenarios on another server: faults of the API, TLS faults of some namespaces only',
    answer:
      'the scenario is not run, and one line says why; a connection refused or a name not found for some calls only is a reset',
    because: 'faults cannot be injected into another server',
  },
  {
    gap: 'exec, attach, port-forward and proxy',
    answer: 'admission runs as for any CONNECT; then 400 when the Pod has no node, else 501',
    because: 'there is no kubelet',
  },
  {
    gap: 'logs of Pods that have a node',
    answer: '501; invalid requests, and the empty log of a Pod without a node, are as upstream’s',
    because: 'there is no kubelet',
  },
  {
    gap: 'what scheduler and kubelet do, HorizontalPodAutoscalers, heartbeats of nodes',
    answer:
      'Pods stay Pending; with `kadmit serve --nodes N` they are bound and become ready, complete or fail as the annotations `kadmit.local/becomes` and `kadmit.local/after` say, though nothing is executed, and neither resources nor other Pods count when they are placed. HorizontalPodAutoscalers are stored, with a Warning; a list or watch of one object by its name, as `kubectl rollout status` sends it, has one while its Pods stay Pending. What runs: Deployments, ReplicaSets, ReplicationControllers, StatefulSets, DaemonSets, Jobs and CronJobs with their history and Events, Endpoints and EndpointSlices, the taints of nodes’ conditions, the status of ResourceQuotas and PodDisruptionBudgets, the protection of claims and volumes, removal of orphaned Pods, default ServiceAccounts, `kube-root-ca.crt`, deletion of namespaces, garbage collection, aggregated ClusterRoles, type checking of policies, signing of approved CertificateSigningRequests of `kube-apiserver-client`, `kube-apiserver-client-kubelet` and `kubelet-serving`',
    because: 'kadmit is an API server',
  },
  {
    gap: 'hints by the annotation service.kubernetes.io/topology-mode, tokens in Secrets of ServiceAccounts, the ttl annotation of nodes, and NoExecute taints of nodes that are not ready, binding of PersistentVolumes',
    answer:
      'only spec.trafficDistribution gives hints, Secrets of type service-account-token stay without a token, such nodes get NoSchedule taints only, claims stay Pending',
    because: 'not built yet',
  },
  {
    gap: 'bodies of 3 MiB with one enormous list, a single CEL expression of 100,000 characters, one that uses many variables each of which costs what an expression may cost',
    answer: 'are processed in steps of up to a second, in which other requests wait',
    because:
      'defaulting and validating one list, encoding one object and compiling one expression are done in one piece each',
  },
  {
    gap: 'definitions with more than 500 versions, schemas that fill in more than 50,000 values or 3 MiB of defaults in one object, columns with a JSONPath of more than 2,000 characters',
    answer:
      'the definition is refused (422, `Too many`); the request is (413); that column and those behind it are not shown',
    because:
      'kube-apiserver fills in as much as it has memory for, until etcd refuses it; here no other request would be served meanwhile',
  },
  {
    gap: 'answers in protobuf to clients that accept JSON too',
    answer: 'JSON; a client that accepts nothing else gets protobuf',
    because: 'JSON serves an informer over 10,000 Pods sooner (decisions/0006-protobuf-answers.md)',
  },
  {
    gap: 'server-side apply to /scale of a custom resource, a second time, or over replicas that another manager owns',
    answer:
      'is applied, or a conflict where it has no spec; upstream answers 500, since it takes autoscaling/v1 for a version of the custom resource, and 200 without a spec',
    because: 'clients scale by PUT and by patches; a fault of upstream is of no use to them',
  },
  {
    gap: 'a patch that makes the Scale of a built-in kind one of extensions/v1beta1',
    answer: '400 for its name, where kube-apiserver answers 422 for its selector',
    because: 'that version was removed in 1.16',
  },
  {
    gap: 'managed fields of the objects that a server creates itself (Namespaces, ClusterRoles, PriorityClasses)',
    answer: 'none, and after the first apply `before-first-apply`, where kube-apiserver has its own name',
    because: 'they are created without requests, for a quick start',
  },
  {
    gap: 'whole numbers written as fractions in custom resources (`1.0` where `1` is stored, `1e-400` where `0` is)',
    answer: 'are the same number: no new generation, and a text of validation calls it an integer',
    because: 'the number is kept, not how it was written; apart from that nothing differs',
  },
  {
    gap: 'OpenAPI v3 and lists of API resources in protobuf',
    answer: '406; both are JSON. OpenAPI v2 is there in both forms',
    because: 'no client asks for them',
  },
  {
    gap: 'moments of a new definition',
    answer:
      'the write of a definition is answered when it is established, or gone: `Installing` and `InstanceDeletionInProgress` are never seen, the first object is not kept waiting for two seconds, and one whose converter has an unsound caBundle stands in discovery',
    because: 'delays of upstream exist for several servers, and for caches',
  },
  {
    gap: 'unusual fields of a definition: selectable fields of a schema with unsupported fields, empty lists in `metadata` or in the schema of one version alone',
    answer:
      'the definition is refused, where kube-apiserver closes the connection; `enum: []` counts as a restriction of metadata, `x-kubernetes-validations: []` as none, and versions that differ in an empty list have schemas of their own',
    because: 'kube-apiserver panics over such fields; what is empty is compared as it is written',
  },
  {
    gap: '`matches`, `find` and `findAll` of CEL over a text so long that the search would take more than a second, such as all matches of `a*b|a` in 10,000 letters',
    answer: 'fail: `the text is too long to be searched for this regular expression`',
    because: 'a search blocks every other request; the cost of an expression counts neither repetitions nor searches',
  },
  {
    gap: 'CEL, rare operations: the zone of a timestamp that is printed, keys of maps that are lists, null or moments, lists and maps of a custom resource compared with another type',
    answer:
      'UTC; `unsupported key type`; false, where cel-go says `no such overload`. Go’s panics are reported as missing overloads',
    because: 'a timestamp is stored as an instant, and plain JSON values do not have a type',
  },
  {
    gap: 'rules of a schema of type `object` that has `items`, in a definition that was updated to it',
    answer: 'are skipped, and its objects are admitted',
    because:
      'kube-apiserver refuses each such object (`rule compiler initialization error`) until the definition is corrected; such a schema is always a mistake',
  },
  {
    gap: 'the ConfigMap `kube-apiserver-legacy-service-account-token-tracking` in kube-system',
    answer: 'is not there',
    because: 'it contains the start of the tracking of legacy tokens, which do not exist here',
  },
  {
    gap: 'aggregated API servers',
    answer:
      'APIServices are stored, also those of built-in groups and of definitions; no request is passed on, and deleting one takes nothing away',
    because: 'they have their own admission chain',
  },
  {
    gap: 'paths of OpenAPI v2',
    answer:
      'operations have their parameters written out, answer 200 alone and read `*/*`; the deprecated watch paths, the rest of proxy paths, WatchEvent and `x-kubernetes-unions` are missing, and DeleteOptions names one group; the types of all resources are those of v1.37.2',
    because: 'clients read the types',
  },
  {
    gap: 'paths of `/` for parts of kube-apiserver that kadmit does not have',
    answer:
      '/flagz, /statusz, /metrics/slis and the health checks of post-start hooks, aggregation and the loopback certificate are missing',
    because: 'there is nothing behind them',
  },
  {
    gap: 'descriptions, tags, operation ids and the answer 401 of built-in resources in OpenAPI',
    answer: 'there are none: `kubectl explain` shows types only; custom resources have them',
    because: 'nothing but explain and generators of clients reads them',
  },
  {
    gap: 'descriptions of the columns of a Table',
    answer: 'empty; names, types, order and cells are as upstream’s',
    because: 'kubectl does not show them',
  },
  {
    gap: 'priority and fairness',
    answer:
      'requests are never queued, and rejected for load only with `--enable-priority-and-fairness=false`, by the two limits of requests in flight; FlowSchemas and PriorityLevelConfigurations, the built-in ones too, are objects like others',
    because: 'one user on one machine',
  },
  {
    gap: 'ranges of Services in IPv6, a second range',
    answer:
      'addresses of Services are IPv4, and from the first range of `--service-cluster-ip-range` or any IPv4 ServiceCIDR that is ready',
    because: 'nothing here routes to them',
  },
  {
    gap: 'finalizers and conditions of ServiceCIDRs other than `kubernetes`',
    answer: 'Ready is not set, so no Service gets an address from them until a client sets it',
    because: 'that is a controller of kube-controller-manager that is not here',
  },
  {
    gap: 'apply of a custom resource by a manager whose last apply was in another version',
    answer: '200, and the fields that the manager no longer names are removed',
    because:
      'kube-apiserver answers 500: the reason has not been found in its source yet, and the error is of no use to clients',
  },
  {
    gap: 'audit event of a request for a deprecated version that is refused for its verb or for want of a name',
    answer: 'without the annotation k8s.io/deprecated, which kube-apiserver adds before it looks at either',
    because: 'the event knows a version from the resource that was found, and none was yet',
  },
];
