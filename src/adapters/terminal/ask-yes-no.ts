import type { Terminal } from './ask-approval.ts'

/** A question of yes and no at the terminal; no where they broke off. */
export const askYesNo = async (question: string, { input, output }: Terminal): Promise<boolean> => {
  const { confirm } = await import('@clack/prompts')
  return (await confirm({ message: question, initialValue: false, input, output })) === true
}
