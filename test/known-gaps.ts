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
      'Uses the resource tables, admission plugins, CEL functions and messages of that release ([releases](releases.md)). Drops the fields of features that are off in it. Applies its restrictions: names of Services, addresses, search domains, sleep actions, spread constraints, quota scopes and restart policies. Omits warnings that later releases added. All other rules of validation, defaulting and admission are those of v1.36.',
    because:
      'Rules are compared one by one. The tests replay the recorded conversations in which v1.34.0 differs from v1.36, and those of v1.32.0 whose rules also apply in 1.33. 89 objects of common kinds were compared with v1.34.0 and v1.35.0. All feature gates that are on in one release of 1.33 to 1.36 and off in another were checked, except those about updates of suspended Jobs, statuses of Nodes, claims and Deployments, the content of a ResourceSlice, constrained impersonation, and the NodeRestriction plugin.',
  },
  {
    gap: 'Kubernetes 1.33: values of rare types in messages',
    answer:
      'Prints the types that occur in recorded conversations and in rules of common kinds as Go does, such as `[]string{"v9"}`. Prints other types as JSON, pointers with a constant address, and quantities as the client wrote them.',
    because:
      'The real address differs each time. The representation of a quantity in Go depends on earlier operations on it.',
    facts: ['1.33/limitrange-object-invalid'],
  },
  {
    gap: 'Kubernetes 1.37: policies that index a list of a built-in object with a double, inside a macro or through `variables`',
    answer:
      'Evaluates `object.spec.containers.all(c, c.args[dyn(0.0)] == "x")`, as 1.36 does. 1.37 fails with `unsupported index type: types.Double`. kadmit returns this error only for a direct path, such as `object.spec.containers[dyn(0.0)]`.',
    because:
      'Objects are the same JSON values for all expressions. kadmit knows that a list belongs to a built-in object only when the path starts at a variable of the request.',
  },
  {
    gap: 'Kubernetes 1.37: validation of resource.k8s.io, and of alpha features',
    answer:
      'Reports errors of DeviceClasses, ResourceSlices and ResourceClaims in the order and with the texts of 1.36, except for the immutable spec and allocation of a claim. Does not validate the fields of alpha features when their gate is on. Refuses webhook tokens (APIServerWebhookAuthenticationToken) and the status of CSINodes (CSIVolumeHealth) to a node even when the gate is on.',
    because:
      'These are alpha features, and rules for drivers and schedulers. Authors of webhooks and policies meet neither.',
  },
  {
    gap: 'Kubernetes 1.33 to 1.36: CEL rules about sets and maps in custom resources',
    answer:
      'Behaves as 1.37: `==` on lists with `x-kubernetes-list-type` `set` or `map` counts repeated members, and `+` on sets of objects is an error.',
    because: 'Upstream fixed a bug (#140293). kadmit compiles expressions once for all releases.',
  },
  {
    gap: 'Kubernetes 1.33 to 1.35: custom resources',
    answer:
      'Checks the formats `k8s-short-name` and `k8s-long-name` in 1.33 too. OpenAPI documents contain `shardSelector` before 1.36. Server-side apply requires one key of a list item, where 1.33 requires all keys.',
    because: 'These rules are implemented for 1.36 only.',
  },
  {
    gap: 'Kubernetes 1.33 to 1.35: Pod Security',
    answer: 'Applies the checks of the release, but checks AppArmor annotations as v1.36 does.',
    because: 'kadmit implements the checks of the newest upstream library.',
    facts: ['1.33/podsecurity-baseline-each-check-1'],
  },
  {
    gap: 'Kubernetes 1.33 to 1.35: reviews',
    answer:
      'Sets the uid of a TokenRequest before it calls webhooks. A SelfSubjectRulesReview has no `creationTimestamp: null`, and its rules are in the order of 1.36.',
    because: 'Not implemented yet.',
    facts: ['1.33/auth-reviews', '1.33/review-token-request', '1.34/auth-reviews'],
  },
  {
    gap: 'Endpoints and EndpointSlice `kubernetes`',
    answer:
      'On a server, they contain the address of the kadmit that started last, even when several share a storage, and they stay when it stops. The in-process API servers of scenarios and of the library have none. `--advertise-address` has no effect.',
    because: 'An in-process API server does not listen, and kadmit does not reconcile these objects.',
  },
  {
    gap: 'evictions after a conflict',
    answer: 'Retries the eviction immediately until it succeeds or is denied.',
    because:
      'kube-apiserver tries 20 times at intervals of half a second, and then responds with 409. Immediate retries need fewer attempts.',
  },
  {
    gap: 'params of built-in kinds, after all policies with such params were deleted',
    answer: 'A new policy finds its params.',
    because:
      'In every release up to 1.36, kube-apiserver stops the informer of a built-in kind together with its last policy and cannot start it again. Later policies find no params until kube-apiserver restarts. This is a bug.',
  },
  {
    gap: 'releases before 1.33 and after 1.37',
    answer: 'The server does not start, and prints the supported releases.',
    because: 'Only the supported releases were compared.',
  },
  {
    gap: 'CBOR (feature gate `CBORServingAndStorage`)',
    answer: 'Responds with 415 to a CBOR body, and with 406 to a client that accepts only CBOR.',
    because: 'This is an alpha feature that is off by default.',
  },
  {
    gap: 'objects that another program wrote into etcd',
    answer:
      'Stores a CustomResourceDefinition as v1, without the condition NonStructuralSchema. Returns the metadata of a custom resource unchanged, even when no API server would store it. Omits an object that it cannot decrypt from lists and watches, where kube-apiserver fails the whole request. Does not start when it finds such an object at startup.',
    because: 'Clients cannot create such objects through the API.',
  },
  {
    gap: 'stub converters of custom resources',
    answer:
      'kadmit calls the stub converters of a scenario; a server of `--target` does not. The converters that `kadmit record` writes change only the apiVersion.',
    because:
      'kadmit cannot configure another server with the addresses of the stubs. A trace names the converter and does not contain its result.',
  },
  {
    gap: 'JSON objects that have a key more than twice, or more than 16 times',
    answer:
      'Loses the items of a list that was longer in an earlier value of the key. Of very many values, only the first 16 and the last one must be valid. When two values are invalid, kadmit may report the other one.',
    because: 'Go decodes each value over the memory of the previous one. Such bodies do not occur in practice.',
  },
  {
    gap: 'compilation of the first CEL expression',
    answer: 'May delay other requests by a tenth of a second.',
    because: 'kadmit compiles an expression in one step.',
  },
  {
    gap: 'RSA keys of ServiceAccounts of fewer than 2048 bits',
    answer: 'Ignores these keys: kadmit signs nothing with them, and rejects tokens that they signed.',
    because: 'The JWT library of kadmit rejects them.',
  },
  {
    gap: 'RSASSA-PSS signatures of CertificateSigningRequests',
    answer: 'Does not verify them. kadmit verifies signatures of RSA (PKCS #1 v1.5), ECDSA and Ed25519.',
    because: 'Clients do not use RSASSA-PSS here.',
  },
  {
    gap: 'users of a `kubeConfigFile` with `exec` or `as`',
    answer: 'The webhook call fails, and the error names the field. kadmit sends tokens, certificates and passwords.',
    because: 'kadmit runs no credential plugin, and webhook clients do not impersonate.',
  },
  {
    gap: 'an object with thousands of errors',
    answer: 'Reports the first 1,000 errors, or as many as fit in 1 MiB of text, and the number of the other errors.',
    because: 'All errors together can take gigabytes.',
  },
  {
    gap: 'JSON and YAML of 501 to 10,000 levels',
    answer: 'Responds with `exceeded max depth`, which kube-apiserver returns from 10,001 levels on.',
    because: 'A process that runs out of stack may end.',
  },
  {
    gap: 'malformed YAML, and unusual YAML: U+2028 as a line break, an empty line after an escaped line break, a comma in a tag, a block scalar as the whole document',
    answer:
      'For some malformed texts, the error names another problem or another line than that of kube-apiserver (`did not find expected key`). kadmit reads U+2028 as a character, and writes a line break after it at the end of a line. It drops the empty line, ends the tag at the comma, and accepts the block scalar without indentation.',
    because: 'The parser is the library `yaml`. kadmit translates its errors as far as their code and position allow.',
  },
  {
    gap: 'a YAML body that is JSON',
    answer:
      'Parses it as JSON: kadmit accepts the escapes `\\/` and `\\ud83d\\ude00`, and keys of more than 1,024 characters.',
    because: 'Clients of server-side apply send JSON, and the YAML parser takes ten times as long.',
  },
  {
    gap: 'quantities of more than 1,000 digits',
    answer: 'Responds with `unable to parse numeric part of quantity`.',
    because: 'Parsing a number of several megabytes takes seconds.',
  },
  {
    gap: 'webhook responses of more than 8 MiB',
    answer:
      'The call fails: `unexpected error when reading response body`. For a compressed response, the size after decompression counts.',
    because: 'kube-apiserver reads a response of any length. kadmit limits the memory that a response can take.',
  },
  {
    gap: 'webhook responses that are not valid HTTP/1.1',
    answer:
      'The call fails where Go accepts the response: lines that end without a carriage return, headers folded over two lines, an interim 100, a 101, a 304 with a length, two equal lengths, a length beside chunks, a space after the size of a chunk. For responses that Go refuses too, some errors omit the quoted line (`malformed MIME header line`). kadmit reads an unknown transfer encoding to the end of the connection.',
    because: 'The parser is that of undici. No webhook server that sends such responses is known.',
  },
  {
    gap: 'a corrupt gzip body of a webhook response',
    answer:
      'The error is `flate: corrupt input` without the offset. One to nine bytes after the last member that are no gzip header cause `invalid header`, where kube-apiserver reports `unexpected EOF`.',
    because: 'zlib in Node reports neither the offset nor the member. The call fails on both servers.',
  },
  {
    gap: 'requests pipelined on one HTTP/1.1 connection',
    answer:
      'Processes them at the same time and responds in order. Two writes may take effect in another order than the client sent them.',
    because:
      'kube-apiserver processes one request after the other. No Kubernetes client pipelines requests: kubectl and client-go use HTTP/2.',
  },
  {
    gap: 'requests that are not valid HTTP/1.1',
    answer: 'Responds with 400, 408 or 431 and closes the connection, as kube-apiserver does, but with another body.',
    because: 'Node and fastify parse these requests and write the responses.',
  },
  {
    gap: 'codes from 600 to 999 in a refusal, over HTTP/2',
    answer: 'Responds with 500. The Status in the body has the code. Over HTTP/1.1, kadmit sends the code.',
    because: 'Node cannot send such a code over HTTP/2.',
  },
  {
    gap: 'bodies and converter responses of more than 100,000 values',
    answer: 'Responds with 413 to such a body. A conversion with such a response fails.',
    because: 'Each value delays all other requests a little. The largest CustomResourceDefinitions have some 25,000.',
  },
  {
    gap: '`data` of a ControllerRevision that is no JSON, sent as protobuf',
    answer:
      'Responds with 400 and the JSON error. When `data` is empty, kadmit stores a ControllerRevision without data.',
    because: 'kube-apiserver panics and resets the stream.',
  },
  {
    gap: '`/configz`, `/logs`, `/debug/pprof`',
    answer: 'Responds with 404.',
    because: 'These paths describe the process, not admission.',
  },
  {
    gap: 'audit events and metrics of requests that are refused before authentication',
    answer:
      'Writes no audit event for a body of more than 3 MiB or invalid HTTP, and does not count the request. The code in an event is that of the response before content negotiation, which may still refuse it with 406.',
    because: 'kadmit refuses them before it knows their user.',
  },
  {
    gap: 'metrics of CEL in the schemas of custom resources (`apiserver_cel_compilation_duration_seconds`, `…_evaluation_duration_seconds`)',
    answer: 'The metrics exist, as on every kube-apiserver, and stay 0.',
    because: 'All API servers of a process share the compiled schemas, so none can count them as its own.',
  },
  {
    gap: 'audit events of responses with Tables or only metadata',
    answer: '`responseObject` is the object itself when the client requests a Table or only metadata.',
    because: 'kadmit creates the event before it converts the response.',
  },
  {
    gap: 'validation of alpha kinds (PodCertificateRequests, ResourcePoolStatusRequests, the status of StorageVersions), and of Pod fields behind feature gates',
    answer:
      'Validates types, names and metadata. Keeps the fields of features that are off, where kube-apiserver drops them.',
    because: 'Common kinds were implemented first.',
  },
  {
    gap: 'identity providers and external authorizers: OpenID Connect, `jwt` of an AuthenticationConfiguration, webhooks that authenticate or authorize, AuthorizationConfiguration',
    answer:
      'The server does not start with `--oidc-issuer-url`, `--authentication-token-webhook-config-file`, `--authorization-webhook-config-file`, `--authorization-config`, `--authorization-mode Webhook` or such a file. One line says what to use instead. The other flags about these have no effect.',
    because:
      'Authors of webhooks and policies need users, not identity providers. `kadmit user`, `--token-auth-file` and impersonation provide users.',
  },
  {
    gap: 'objects that a kube-apiserver stored in the same etcd',
    answer:
      'Returns them as they are stored, CustomResourceDefinitions as v1. Omits the fields that kube-apiserver sets when it reads an object, such as `status.phase` of a PersistentVolumeClaim.',
    because:
      'kadmit sets defaults when it writes. kadmit and kube-apiserver on one etcd are meant for inspection only.',
  },
  {
    gap: 'the status of APIServices, and fields of bootstrap objects',
    answer:
      'Does not set Available of an aggregated API. Bootstrap objects have no managed fields. The rules of `admin`, `edit` and `view` are aggregated from the start, even without controllers.',
    because: 'kadmit has no aggregation to report.',
  },
  {
    gap: 'descriptions of the columns of Tables',
    answer: 'They are empty for built-in kinds. Names, types, order and cells of the columns are as upstream’s.',
    because: 'kubectl does not print them.',
  },
  {
    gap: 'the diff after `pod updates may not change fields other than …` and similar messages',
    answer: 'Omits the diff when one of the two specs has more than 5,000 lines of 100 characters.',
    because: 'The time for a diff grows with the square of the length.',
  },
  {
    gap: 'validation rules that few objects meet, such as those for sources of Pod certificates and trust bundles',
    answer: 'May admit such a write, or deny it with a shorter message. `npm run differ` lists them.',
    because: 'Common rules were implemented first.',
  },
  {
    gap: 'the warning `fractional byte value` for a memory request of more than 9 PB that is written in digits and ends with three zeros or more, such as 1000000000000000000',
    answer: 'Sends no warning, as for the same quantity written as `1E`.',
    because:
      'kadmit stores quantities in their canonical form. kube-apiserver warns about whole bytes only because a product overflows.',
  },
  {
    gap: 'feature gates',
    answer:
      'Some gates have an effect: those that open alpha and beta APIs, those that drop fields, and those that decide about checks of addresses, names of Services, sleep actions and spread constraints. kadmit accepts every other known gate, and one line on standard error says that it has no effect.',
    because: 'kadmit behaves as kube-apiserver v1.37 with its default feature gates.',
  },
  {
    gap: 'flags of kube-apiserver about encryption at rest, egress proxies, aggregated servers and peers, kubelets, leases of API servers, requests to etcd, watch caches, profiling, hidden metrics, plugins that sign tokens, the audit webhook, the batches, rotation and formats of the audit log, TracingConfiguration files, TLS versions, cipher suites and SNI certificates, CORS and HSTS headers, GOAWAY, limits of HTTP/2 streams and of requests in flight, delayed shutdown, minimum compatibility versions, and the address of the keys of ServiceAccount tokens',
    answer:
      'Accepts the flags without effect. kadmit refuses a value of the wrong type, such as text for a number, with the message of kube-apiserver, and checks nothing else. One line on standard error lists the given flags that have no effect.',
    because: 'kadmit is one process with one memory. It has no nodes to call and no peers.',
  },
  {
    gap: 'a server that emulates an older version',
    answer:
      '`--emulated-version 1.36` has the effect of `--kubernetes-version 1.36`: `/version` returns that release, without `emulationMinor`.',
    because: 'kadmit has tables for each release.',
  },
  {
    gap: 'the time that a request is held at a breakpoint (`kadmit serve` and its page)',
    answer: 'Timeouts and deadlines stand still. Durations in metrics and spans include the time.',
    because: 'The user holds the request, so the longer duration is expected.',
  },
  {
    gap: 'scenarios: watches that are dropped',
    answer:
      'A scenario opens no watches, so its `apiFaults` are only 409 and 429. `kadmit serve` and `startKadmit` can drop and expire the watches of real clients.',
    because: 'A client that watches is a separate program.',
  },
  {
    gap: 'traces, audit events and metrics of API faults (409, 429, watches)',
    answer: 'An injected fault leaves no trace, no audit event and no metric.',
    because: 'kadmit injects the fault before authentication.',
  },
  {
    gap: 'scenarios on another server: kubeconfigs with credential plugins, steps that `advance` the clock',
    answer: 'One line says which credential is needed. kadmit skips and counts such steps.',
    because: 'A plugin is a foreign program. Only a virtual clock can be advanced.',
  },
  {
    gap: 'the page of a server in a container',
    answer: 'Listens on the loopback address of the container, and cannot be opened from outside.',
    because: 'The page shows all that the server stores, and is meant for the person at this machine.',
  },
  {
    gap: 'scenarios on another server: API faults, and TLS faults for some namespaces only',
    answer:
      'Does not run the scenario, and one line says why. A refused connection or a failed name lookup for some calls only becomes a reset.',
    because: 'kadmit cannot inject faults into another server.',
  },
  {
    gap: 'exec, attach, port-forward and proxy',
    answer:
      'Runs admission as for any CONNECT request. Then kadmit responds with 400 when the Pod has no node, otherwise with 501.',
    because: 'There is no kubelet.',
  },
  {
    gap: 'logs of Pods that have a node',
    answer:
      'Responds with 501. Responses to invalid requests, and the empty log of a Pod without a node, are as upstream’s.',
    because: 'There is no kubelet.',
  },
  {
    gap: 'scheduler, kubelet, HorizontalPodAutoscalers, heartbeats of nodes',
    answer:
      'Pods stay Pending. With `kadmit serve --nodes N`, kadmit binds them to nodes, and they become ready, complete or fail as the annotations `kadmit.local/becomes` and `kadmit.local/after` say. Nothing is executed, and placement ignores resources and other Pods. kadmit stores HorizontalPodAutoscalers and responds with a Warning. A list or watch of one object by its name, as `kubectl rollout status` sends it, also gets a Warning while the Pods of the object stay Pending. These controllers run: Deployments, ReplicaSets, ReplicationControllers, StatefulSets, DaemonSets, Jobs and CronJobs with their history and Events, Endpoints and EndpointSlices, taints from conditions of nodes, the status of ResourceQuotas and PodDisruptionBudgets, the protection of claims and volumes, removal of orphaned Pods, default ServiceAccounts, `kube-root-ca.crt`, deletion of namespaces, garbage collection, aggregated ClusterRoles, type checking of policies, and signing of approved CertificateSigningRequests of `kube-apiserver-client`, `kube-apiserver-client-kubelet` and `kubelet-serving`.',
    because: 'kadmit is an API server.',
  },
  {
    gap: 'the annotation service.kubernetes.io/topology-mode, tokens in Secrets of ServiceAccounts, the ttl annotation of nodes, NoExecute taints of nodes that are not ready, binding of PersistentVolumes',
    answer:
      'Only spec.trafficDistribution sets hints. Secrets of type service-account-token stay without a token. Nodes that are not ready get only NoSchedule taints. PersistentVolumeClaims stay Pending.',
    because: 'Not implemented yet.',
  },
  {
    gap: 'bodies of 3 MiB with one very long list, a CEL expression of 100,000 characters, an expression that uses many variables each of which costs as much as an expression may cost',
    answer: 'Processes them in steps of up to a second. Other requests wait during a step.',
    because: 'kadmit defaults and validates a list, encodes an object, and compiles an expression in one step each.',
  },
  {
    gap: 'definitions with more than 500 versions, schemas that set more than 50,000 values or 3 MiB of defaults in one object, columns with a JSONPath of more than 2,000 characters',
    answer:
      'Refuses a definition with too many versions (422, `Too many`). Refuses a request with too many defaults (413). Omits a column with such a JSONPath and the columns after it.',
    because:
      'kube-apiserver sets defaults as long as it has memory, until etcd refuses the object. kadmit could serve no other request meanwhile.',
  },
  {
    gap: 'protobuf responses to clients that accept JSON too',
    answer: 'Responds with JSON. A client that accepts nothing else gets protobuf.',
    because:
      'With JSON, an informer over 10,000 Pods is ready sooner ([decision 6](../internals/decisions/0006-protobuf-answers.md)).',
  },
  {
    gap: 'server-side apply to /scale of a custom resource: a second apply, or an apply over replicas that another manager owns',
    answer:
      'Applies the object, or responds with a conflict when it has no spec. kube-apiserver responds with 500, because it takes autoscaling/v1 for a version of the custom resource, and with 200 when there is no spec.',
    because: 'Clients scale with PUT and with patches. A bug of upstream is of no use to them.',
  },
  {
    gap: 'a patch that changes the Scale of a built-in kind to extensions/v1beta1',
    answer: 'Responds with 400 because of its name. kube-apiserver responds with 422 because of its selector.',
    because: 'That version was removed in 1.16.',
  },
  {
    gap: 'managed fields of the objects that a server creates itself (Namespaces, ClusterRoles, PriorityClasses)',
    answer:
      'There are none. After the first apply the manager is `before-first-apply`, where kube-apiserver has its own name.',
    because: 'kadmit creates these objects without requests, to start quickly.',
  },
  {
    gap: 'integers written as fractions in custom resources (`1.0` where `1` is stored, `1e-400` where `0` is)',
    answer: 'They are the same number: the generation does not change, and validation messages call it an integer.',
    because: 'kadmit stores the number, not its notation. Nothing else differs.',
  },
  {
    gap: 'OpenAPI v3 and lists of API resources in protobuf',
    answer: 'Responds with 406. Both exist in JSON. OpenAPI v2 exists in both formats.',
    because: 'No client requests them.',
  },
  {
    gap: 'transient states of a new or deleted definition',
    answer:
      'Responds to the write when the definition is established, or deleted. Clients never see `Installing` and `InstanceDeletionInProgress`. The first object does not wait for two seconds. A definition whose converter has an invalid caBundle is in discovery.',
    because: 'The delays of upstream exist for several servers, and for caches.',
  },
  {
    gap: 'unusual fields of a definition: selectable fields of a schema with unsupported fields, empty lists in `metadata` or in the schema of one version only',
    answer:
      'Refuses the definition, where kube-apiserver closes the connection. `enum: []` counts as a restriction of metadata, and `x-kubernetes-validations: []` does not. Versions that differ in an empty list have separate schemas.',
    because: 'kube-apiserver panics on such fields. kadmit compares empty lists as they are written.',
  },
  {
    gap: '`matches`, `find` and `findAll` of CEL on a text so long that the search would take more than a second, such as all matches of `a*b|a` in 10,000 letters',
    answer: 'The expression fails: `the text is too long to be searched for this regular expression`.',
    because: 'A search blocks every other request. The cost of an expression counts neither repetitions nor searches.',
  },
  {
    gap: 'rare CEL operations: the time zone of a timestamp converted to a string; lists, null or timestamps as map keys; comparing lists and maps of a custom resource with another type',
    answer:
      'Prints timestamps in UTC. Reports `unsupported key type` for such keys. Returns false for such a comparison, where cel-go reports `no such overload`. Reports panics of Go as missing overloads.',
    because: 'kadmit stores a timestamp as an instant. Plain JSON values do not have a type.',
  },
  {
    gap: 'rules of a schema of type `object` that has `items`, in an updated definition',
    answer: 'Skips the rules and admits the objects.',
    because:
      'kube-apiserver refuses each such object (`rule compiler initialization error`) until the definition is corrected. Such a schema is always a mistake.',
  },
  {
    gap: 'the ConfigMap `kube-apiserver-legacy-service-account-token-tracking` in kube-system',
    answer: 'It does not exist.',
    because: 'It contains the start of the tracking of legacy tokens, and kadmit has no such tokens.',
  },
  {
    gap: 'aggregated API servers',
    answer:
      'Stores APIServices, including those of built-in groups and of definitions. kadmit forwards no request, and deleting an APIService removes no API.',
    because: 'Aggregated API servers have their own admission chain.',
  },
  {
    gap: 'paths of OpenAPI v2',
    answer:
      'Each operation lists its parameters, has 200 as its only response and consumes `*/*`. The deprecated watch paths, the paths below `proxy`, WatchEvent and `x-kubernetes-unions` are missing, and DeleteOptions names one group. The types of all resources are those of v1.37.2.',
    because: 'Clients read the types.',
  },
  {
    gap: 'paths listed at `/` of parts that kadmit does not have',
    answer:
      '/flagz, /statusz, /metrics/slis and the health checks of post-start hooks, aggregation and the loopback certificate are missing.',
    because: 'kadmit does not have these parts.',
  },
  {
    gap: 'descriptions, tags, operation ids and the response 401 of built-in resources in OpenAPI',
    answer: 'They are missing: `kubectl explain` shows types only. Custom resources have them.',
    because: 'Only `kubectl explain` and generators of clients read them.',
  },
  {
    gap: 'priority and fairness',
    answer:
      'Never queues requests, and does not limit the requests in flight. FlowSchemas and PriorityLevelConfigurations, including the built-in ones, are objects without an effect on requests.',
    because: 'One user works on one machine.',
  },
  {
    gap: 'IPv6 ranges of Services, a second range',
    answer:
      'Addresses of Services are IPv4. They come from the first range of `--service-cluster-ip-range` or from any IPv4 ServiceCIDR that is ready.',
    because: 'Nothing in kadmit routes to them.',
  },
  {
    gap: 'finalizers and conditions of ServiceCIDRs other than `kubernetes`',
    answer: 'Does not set Ready. No Service gets an address from such a ServiceCIDR until a client sets Ready.',
    because: 'kadmit does not have this controller of kube-controller-manager.',
  },
  {
    gap: 'apply of a custom resource by a manager whose last apply was in another version',
    answer: 'Responds with 200 and removes the fields that the manager no longer names.',
    because:
      'kube-apiserver responds with 500. The cause in its source is not known yet, and the error is of no use to clients.',
  },
  {
    gap: 'the audit event of a request for a deprecated version that is refused because of its verb or because it has no name',
    answer:
      'The event does not have the annotation k8s.io/deprecated. kube-apiserver adds it before it checks the verb and the name.',
    because: 'kadmit reads the version from the resource, and refuses the request before it finds the resource.',
  },
];
