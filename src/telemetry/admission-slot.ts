import type { AdmissionPhase } from '../admission/admission-phase.ts';
import type { Labels } from './family.ts';

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** A number for what the labels operation, type and rejected say of a step: many are looked up for each request. */
export const slotOf = (operation: string, phase: AdmissionPhase, rejected: boolean): number =>
  operations.indexOf(operation) * 4 + (phase === 'mutating' ? 0 : 2) + (rejected ? 1 : 0);

/** The labels that a slot stands for. */
export const labelsOf = (slot: number): Labels => ({
  operation: operations[Math.floor(slot / 4)] ?? '',
  rejected: slot % 2 === 1 ? 'true' : 'false',
  type: slot % 4 < 2 ? 'admit' : 'validate',
});
