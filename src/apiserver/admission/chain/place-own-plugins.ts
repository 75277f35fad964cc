import { isJsonObject } from '../../../machinery/json/json.ts';
import { admissionPlugins } from '../plugins/plugin-order.ts';
import type { OwnPlugin } from './own-plugin.ts';

const compiledIn = admissionPlugins.inOrder;

/** All plugin names in order; several own plugins beside one keep the given order. */
export function placedAmong(names: readonly string[], own: readonly OwnPlugin[]): readonly string[] {
  const order = [...names];
  const following = new Map<string, string>();
  for (const { name, before, after } of own) {
    const anchor = before ?? following.get(after ?? '') ?? after ?? 'ResourceQuota';
    const place = order.indexOf(anchor);
    const isAfter = before === undefined && after !== undefined;
    order.splice(place < 0 ? order.length : place + (isAfter ? 1 : 0), 0, name);
    if (isAfter) following.set(after, name);
  }
  return order;
}

/** `TeamLabel runs after LimitRanger and before Priority`. */
export function pluginPlaceText(name: string, order: readonly string[]): string {
  const place = order.indexOf(name);
  const [previous, next] = [order[place - 1], order[place + 1]];
  const parts = [previous === undefined ? [] : [`after ${previous}`], next === undefined ? [] : [`before ${next}`]];
  return `${name} runs ${parts.flat().join(' and ')}`;
}

/** Returns the plugin, or the error as text. */
export function readOwnPlugin(value: unknown, others: readonly OwnPlugin[]): OwnPlugin | string {
  if (!isOwnPlugin(value)) {
    return 'a plugin is { name, mutate(request) {…} } or { name, validate(request) {…} }, or has both';
  }
  const { name, before, after, operations = [] } = value;
  const known = [...compiledIn, ...others.map((one) => one.name)];
  if (known.includes(name)) return `there is a plugin ${name} already`;
  if (before !== undefined && after !== undefined)
    return `${name} is to run before ${before} and after ${after}: say one`;
  const anchor = before ?? after;
  if (anchor !== undefined && !known.includes(anchor)) {
    return `there is no plugin ${anchor} that ${name} could run ${before === undefined ? 'after' : 'before'}`;
  }
  const wrong = operations.find((one) => !allOperations.includes(one));
  return wrong === undefined ? value : `${name} has an operation ${wrong}; there are ${allOperations.join(', ')}`;
}

const allOperations: readonly string[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

function isOwnPlugin(value: unknown): value is OwnPlugin {
  if (!isJsonObject(value)) return false;
  const { name, before, after, mutate, validate, operations }: Readonly<Record<string, unknown>> = value;
  return (
    typeof name === 'string' &&
    name !== '' &&
    [before, after].every((one) => one === undefined || typeof one === 'string') &&
    [mutate, validate].every((one) => one === undefined || typeof one === 'function') &&
    (mutate ?? validate) !== undefined &&
    (operations === undefined || Array.isArray(operations))
  );
}
