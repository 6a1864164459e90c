import type { Approver } from '../core/ports.ts'

/** `--yes`: what is of high risk has to be granted by its name, so to that nobody answers. */
export const yesApprover: Approver = {
  ask: async ({ risk }) => (risk === 'high' ? undefined : { answer: 'once', by: '--yes' }),
}
