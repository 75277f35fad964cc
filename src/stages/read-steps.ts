import type { Fields } from '../apimachinery/decode-fields.ts';
import { isJsonObject } from '../apimachinery/json.ts';
import type { StageReader } from './expression.ts';
import { isTemplateFunction } from './template-functions.ts';
import type { ApplyStep, PatchStep, Step } from './stage.ts';
import { parseTemplate } from './template/parse.ts';

/** What a Stage does: its `steps`, or what `next` stands for. Follows KWOK pkg/apis/internalversion/conversion.go. */
export function readSteps(reader: StageReader, spec: Fields): readonly Step[] {
  const place = { struct: 'StageSpec', path: 'spec' };
  const steps = reader.fields.objects(spec, 'steps', place, 'StageStep');
  if (steps.length > 0) {
    return steps.flatMap((step, index) => {
      const path = `spec.steps[${index}]`;
      reader.fields.only(step, ['event', 'finalizers', 'delete', 'patch', 'apply'], path);
      return readStep(reader, step, path);
    });
  }
  return readNext(reader, reader.fields.object(spec, 'next', place, 'StageNext'));
}

/** In the order in which KWOK does what one step asks for. */
function readStep(reader: StageReader, step: Fields, path: string): readonly Step[] {
  const place = { struct: 'StageStep', path };
  return [
    ...(isJsonObject(step['event']) ? [readEvent(reader, step, path)] : []),
    ...(isJsonObject(step['finalizers']) ? [readFinalizers(reader, step, path)] : []),
    ...(reader.fields.truth(step, 'delete', place) === true ? [{ type: 'delete' } as const] : []),
    ...(isJsonObject(step['patch'])
      ? [readPatch(reader, reader.fields.object(step, 'patch', place, 'StagePatch'), `${path}.patch`)]
      : []),
    ...(isJsonObject(step['apply']) ? [readApply(reader, step, path)] : []),
  ];
}

function readNext(reader: StageReader, next: Fields): readonly Step[] {
  const path = 'spec.next';
  const place = { struct: 'StageNext', path };
  reader.fields.only(
    next,
    ['event', 'finalizers', 'delete', 'patches', 'statusTemplate', 'statusSubresource', 'statusPatchAs'],
    path,
  );
  const patches = reader.fields.objects(next, 'patches', place, 'StagePatch');
  const source = reader.fields.text(next, 'statusTemplate', place);
  const ofStatus = (): readonly PatchStep[] => [
    {
      type: 'patch',
      root: 'status',
      subresource: reader.fields.text(next, 'statusSubresource', place) || 'status',
      template: readTemplate(reader, source, `${path}.statusTemplate`),
      patchType: '',
      username: readUsername(reader, next, 'statusPatchAs', path),
    },
  ];
  return [
    ...(isJsonObject(next['event']) ? [readEvent(reader, next, path)] : []),
    ...(isJsonObject(next['finalizers']) ? [readFinalizers(reader, next, path)] : []),
    ...patches.map((patch, index) => readPatch(reader, patch, `${path}.patches[${index}]`)),
    ...(patches.length === 0 && source !== '' ? ofStatus() : []),
    ...(reader.fields.truth(next, 'delete', place) === true ? [{ type: 'delete' } as const] : []),
  ];
}

function readEvent(reader: StageReader, parent: Fields, path: string): Step {
  const event = reader.fields.object(parent, 'event', { struct: 'StageNext', path }, 'StageEvent');
  const place = { struct: 'StageEvent', path: `${path}.event` };
  reader.fields.only(event, ['type', 'reason', 'message'], place.path);
  const [eventType = '', reason = '', message = ''] = ['type', 'reason', 'message'].map((name) =>
    reader.fields.text(event, name, place),
  );
  return { type: 'event', eventType, reason, message };
}

function readFinalizers(reader: StageReader, parent: Fields, path: string): Step {
  const finalizers = reader.fields.object(parent, 'finalizers', { struct: 'StageNext', path }, 'StageFinalizers');
  const place = { struct: 'StageFinalizers', path: `${path}.finalizers` };
  reader.fields.only(finalizers, ['add', 'remove', 'empty'], place.path);
  const valuesOf = (name: string): readonly string[] =>
    reader.fields
      .objects(finalizers, name, place, 'FinalizerItem')
      .map((item) => reader.fields.text(item, 'value', { struct: 'FinalizerItem', path: `${place.path}.${name}` }));
  const empty = reader.fields.truth(finalizers, 'empty', place) === true;
  return { type: 'finalizers', add: valuesOf('add'), remove: valuesOf('remove'), empty };
}

const patchTypes = ['', 'json', 'merge', 'strategic'] as const;
const applyTypes = ['apply', 'merge', 'strategic'] as const;

function readPatch(reader: StageReader, patch: Fields, path: string): PatchStep {
  const place = { struct: 'StagePatch', path };
  reader.fields.only(patch, ['subresource', 'root', 'template', 'type', 'impersonation'], path);
  const asked = reader.fields.text(patch, 'type', place);
  const patchType = patchTypes.find((known) => known === asked);
  if (patchType === undefined)
    reader.fault(`${path}.type`, `${JSON.stringify(asked)} is none of json, merge, strategic`);
  return {
    type: 'patch',
    root: reader.fields.text(patch, 'root', place),
    subresource: reader.fields.text(patch, 'subresource', place),
    template: readTemplate(reader, reader.fields.text(patch, 'template', place), `${path}.template`),
    patchType: patchType ?? '',
    username: readUsername(reader, patch, 'impersonation', path),
  };
}

function readApply(reader: StageReader, step: Fields, path: string): ApplyStep {
  const apply = reader.fields.object(step, 'apply', { struct: 'StageStep', path }, 'StageApply');
  const place = { struct: 'StageApply', path: `${path}.apply` };
  reader.fields.only(apply, ['subresource', 'template', 'type', 'impersonation'], place.path);
  const asked = reader.fields.text(apply, 'type', place) || 'apply';
  const patchType = applyTypes.find((known) => known === asked);
  if (!patchType) reader.fault(`${place.path}.type`, `${JSON.stringify(asked)} is none of apply, merge, strategic`);
  return {
    type: 'apply',
    subresource: reader.fields.text(apply, 'subresource', place),
    template: readTemplate(reader, reader.fields.text(apply, 'template', place), `${place.path}.template`),
    patchType: patchType ?? 'apply',
    username: readUsername(reader, apply, 'impersonation', place.path),
  };
}

function readTemplate(reader: StageReader, source: string, at: string): PatchStep['template'] {
  const reading = parseTemplate(source, isTemplateFunction);
  if (reading.outcome === 'read') return reading.nodes;
  reader.fault(at, reading.error);
  return [];
}

function readUsername(reader: StageReader, parent: Fields, name: string, path: string): string {
  const config = reader.fields.object(parent, name, { struct: 'StagePatch', path }, 'ImpersonationConfig');
  return reader.fields.text(config, 'username', { struct: 'ImpersonationConfig', path: `${path}.${name}` });
}
