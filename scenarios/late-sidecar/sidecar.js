/** Adds a sidecar, unless it is there. */
export default ({ request }) => {
  if (request.object.spec.containers.some(({ name }) => name === 'sidecar')) return { allowed: true };
  const patch = [{ op: 'add', path: '/spec/containers/-', value: { name: 'sidecar', image: 'sidecar:1' } }];
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
};
