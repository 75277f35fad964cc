/** A 5xx response that kube-apiserver has too, or that names a feature that kadmit does not have. */
interface UpstreamFailure {
  /** Any when omitted: a webhook may deny with any code. */
  readonly code?: number;
  /** Of the request; any when omitted. */
  readonly method?: string;
  readonly message: RegExp;
  /** The upstream source. */
  readonly source: string;
}

// An error of Go that is no Status becomes a 500 without a reason: apiserver
// pkg/endpoints/handlers/responsewriters/status.go. Those with the reason InternalError are created with it.
// Of a long response only the beginning is stored: `.{1000}`.
const failures: readonly UpstreamFailure[] = [
  {
    code: 500,
    message: /failed calling webhook/,
    source: 'apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go, validating/dispatcher.go',
  },
  {
    message: /"admission webhook .* denied the request/s,
    source: 'apiserver pkg/admission/plugin/webhook/errors/statuserror.go',
  },
  {
    code: 500,
    message: /^This request caused apiserver to panic/,
    source:
      'go net/http server.go checkWriteHeaderCode, apiserver pkg/server/filters/wrap.go: a webhook denies with 1000',
  },
  {
    code: 505,
    message: /HTTP Version Not Supported: unsupported protocol version/,
    source: 'go net/http server.go http1ServerSupportsRequest',
  },
  {
    code: 501,
    message: /kadmit: /,
    source: 'ours: what needs a kubelet',
  },
  {
    code: 504,
    message: /Timeout/,
    source: 'apiserver pkg/endpoints/handlers/finisher/finisher.go',
  },
  {
    code: 500,
    message:
      /Internal error occurred: .*(?:operation does not apply|operation failed to decode (?:path|from)|testing value (?:.* failed|.{1000})|unsupported patch type|replace operation |Unexpected kind: |error in (?:add|remove|move|copy|test) for |cannot unmarshal|Unable to|no kind (?:.* is registered|.{1000}))/s,
    source: 'apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go: what evanphx/json-patch says',
  },
  {
    code: 500,
    message:
      /Internal error occurred: (?:quantities must match the regular expression|unable to parse numeric part of quantity|unable to parse quantity's suffix|parsing time |illegal base64 data at input byte |time: |system metadata was not initialized)/,
    source: 'apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go: what decoding says of the patched object',
  },
  {
    code: 500,
    method: 'POST',
    message: /target\.(?:name|kind): /,
    source: 'kubernetes pkg/registry/core/pod/storage/storage.go BindingREST.Create',
  },
  {
    code: 500,
    method: 'POST',
    message: /"Non-matching dry-run options in request and content: /,
    source: 'kubernetes pkg/registry/core/pod/storage/eviction.go EvictionREST.Create',
  },
  {
    code: 500,
    method: 'GET',
    message: /resourceVersion: Invalid value: (?:.* strconv\.ParseUint|.{1000})/s,
    source: 'apiserver pkg/storage/cacher/cacher.go Watch',
  },
  {
    code: 500,
    message: /"message":"strconv\.ParseUint: parsing /,
    source:
      'apiserver pkg/registry/generic/registry/store.go Update: what ObjectResourceVersion says of that of an object (recorded: crud-put-bad-resource-version)',
  },
  {
    code: 500,
    method: 'DELETE',
    message:
      /couldn'{1,2}t get version\/kind|cannot unmarshal|error converting YAML to JSON|proto: |unexpected EOF|expected prefix|is missing in|no kind (?:.* is registered|.{1000})/s,
    source: 'apiserver pkg/endpoints/handlers/delete.go: what the decoder says of DeleteOptions',
  },
  {
    code: 500,
    method: 'PATCH',
    message:
      /"(?:expected a |map: (?:.* does not contain declared merge key|.{1000})|unknown patch type: |cannot merge lists without merge key for |merging lists cannot yet be specified|The order in patch list|merging an object in json but data type is not struct|unable to find api field in struct|list element types are not identical|no elements in any of|This request caused apiserver to panic)/s,
    source: 'apimachinery pkg/util/strategicpatch/patch.go; apiserver pkg/endpoints/handlers/patch.go knows the others',
  },
  {
    code: 500,
    method: 'PATCH',
    message: /"failed to (?:create typed patch object|convert new object) \(/,
    source: 'apimachinery pkg/util/managedfields/internal/structuredmerge.go',
  },
  {
    code: 500,
    message:
      /"etcdserver: request is too large"|"rpc error: code = ResourceExhausted desc = trying to send message larger/,
    source:
      'etcd server/etcdserver/v3_server.go and client/v3/options.go, as they are: apiserver pkg/storage/etcd3/store.go',
  },
];

/** Whether kube-apiserver would respond with it. */
export const isUpstreamFailure = (method: string, code: number, text: string): boolean =>
  failures.some((row) => (row.code ?? code) === code && (row.method ?? method) === method && row.message.test(text));
