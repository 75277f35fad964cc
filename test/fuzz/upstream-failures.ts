/** An answer from 500 up that kube-apiserver gives too, or that says what kadmit does not have. */
interface UpstreamFailure {
  readonly code: number;
  /** Of the request; any when it is left out. */
  readonly method?: string;
  readonly message: RegExp;
  /** Where upstream says it. */
  readonly source: string;
}

// An error of Go that is no Status becomes a 500 without a reason: apiserver
// pkg/endpoints/handlers/responsewriters/status.go. Those with the reason InternalError are called so by who made them.
const failures: readonly UpstreamFailure[] = [
  {
    code: 500,
    message: /failed calling webhook/,
    source: 'apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go, validating/dispatcher.go',
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
      /Internal error occurred: .*(?:operation does not apply|testing value .* failed|unsupported patch type|cannot unmarshal|Unable to|no kind .* is registered)/s,
    source: 'apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go: what evanphx/json-patch says',
  },
  {
    code: 500,
    method: 'POST',
    message: /target\.(?:name|kind): /,
    source: 'kubernetes pkg/registry/core/pod/storage/storage.go BindingREST.Create',
  },
  {
    code: 500,
    method: 'GET',
    message: /resourceVersion: Invalid value: .* strconv\.ParseUint/s,
    source: 'apiserver pkg/storage/cacher/cacher.go Watch',
  },
  {
    code: 500,
    method: 'DELETE',
    message:
      /couldn'{1,2}t get version\/kind|cannot unmarshal|error converting YAML to JSON|proto: |unexpected EOF|expected prefix|is missing in|no kind .* is registered/s,
    source: 'apiserver pkg/endpoints/handlers/delete.go: what the decoder says of DeleteOptions',
  },
  {
    code: 500,
    method: 'PATCH',
    message:
      /invalid patch format|expected a \[\]interface|merging an object in json but data type is not struct|unable to find api field in struct|caused apiserver to panic|precondition failed|does not match|doesn'{1,2}t match .setElementOrder|list element types are not identical|delete patch type with no merge key|Unsupported|unknown patch/,
    source: 'apimachinery pkg/util/strategicpatch/patch.go',
  },
];

/** Would kube-apiserver have answered so? */
export const isUpstreams = (method: string, code: number, text: string): boolean =>
  failures.some((row) => row.code === code && (row.method ?? method) === method && row.message.test(text));
