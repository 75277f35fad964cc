/** Leads the probe of the first container through /app-health, unless it goes there. */
export default ({ request }) => {
  const { path } = request.object.spec.containers[0].livenessProbe.httpGet;
  if (path.startsWith('/app-health/')) return { allowed: true };
  const patch = [
    { op: 'replace', path: '/spec/containers/0/livenessProbe/httpGet/path', value: `/app-health${path}` },
  ];
  return { allowed: true, patchType: 'JSONPatch', patch: btoa(JSON.stringify(patch)) };
};
