/** Not idempotent: every call counts up. */
export default ({ request }) => {
  const { annotations } = request.object.metadata;
  const calls = Number(annotations?.calls ?? 0) + 1;
  const patch = annotations
    ? [{ op: 'add', path: '/metadata/annotations/calls', value: String(calls) }]
    : [{ op: 'add', path: '/metadata/annotations', value: { calls: String(calls) } }];
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
};
