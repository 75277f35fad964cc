// v1beta1 has a text where v1 has a mapping.
export default function convert({ request }) {
  return request.objects.map((object) => ({
    ...object,
    apiVersion: request.desiredAPIVersion,
    spec: { ...object.spec, schedule: scheduleOf(object, request.desiredAPIVersion) },
  }));
}

function scheduleOf({ spec }, wanted) {
  if (wanted.endsWith('/v1beta1')) return spec.schedule.cron;
  return typeof spec.schedule === 'string' ? { cron: spec.schedule } : spec.schedule;
}
