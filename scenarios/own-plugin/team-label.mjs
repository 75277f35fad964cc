const teams = { shop: 'checkout', lab: 'research' };

export default {
  name: 'TeamLabel',
  before: 'LimitRanger',
  operations: ['CREATE'],
  mutate(request) {
    if (request.resource.resource !== 'pods' || request.subresource !== '') return;
    const team = teams[request.namespace];
    if (team === undefined) request.deny(`namespace ${request.namespace} has no team`);
    const { metadata } = request.object;
    const own = metadata.labels?.team;
    if (own !== undefined && own !== team) request.warn(`team ${team} owns this namespace, not ${own}`);
    metadata.labels = { team, ...metadata.labels };
  },
};
