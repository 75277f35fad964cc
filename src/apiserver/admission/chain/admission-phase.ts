/** The two passes of the chain. */
export type AdmissionPhase = 'mutating' | 'validating';
