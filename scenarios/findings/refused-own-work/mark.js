/** Refuses Pods that are marked already, and marks the others. */
export default ({ request }) =>
  request.object.metadata.labels?.marked === undefined
    ? { allowed: true, patchType: 'JSONPatch', patch: btoa('[{"op":"add","path":"/metadata/labels","value":{"marked":"yes"}}]') }
    : { allowed: false, status: { message: 'label marked is already set' } };
