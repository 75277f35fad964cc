import { added, allowed, changed, variables } from '../answer.js';

/** The agent of a language in an init container, and its variables in each container that is there by now. */
export default ({ request: { object } }) => {
  if (object.metadata.annotations?.['instrumentation.opentelemetry.io/inject-java'] !== 'true') return allowed;
  const variable = { name: 'JAVA_TOOL_OPTIONS', value: '-javaagent:/otel-auto-instrumentation-java/javaagent.jar' };
  const patch = [
    ...added(object.spec, 'initContainers', { name: 'opentelemetry-auto-instrumentation-java', image: 'autoinstrumentation-java:2' }),
    ...variables(object.spec, variable),
  ];
  return patch.length === 0 ? allowed : changed(patch);
};
