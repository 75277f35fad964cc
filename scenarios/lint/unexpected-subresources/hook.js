/** Requires an image in each container, and takes every object for a Pod. */
export default ({ request }) => ({ allowed: request.object.spec.containers.every(({ image }) => image !== '') });
