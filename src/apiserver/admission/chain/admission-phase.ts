export type AdmissionPhase = 'mutating' | 'validating';
