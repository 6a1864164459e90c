/** The one list of what this process owes the system: Node warns of more than ten listeners of its own. */
const owed = new Set<() => void>()

/**
 * Has an action done should this process exit on the spot, the last one first; the returned function takes it back.
 * What the action throws is dropped: the others are owed too, and nobody is left to be told.
 */
export const onExit = (action: () => void): (() => void) => {
  if (owed.size === 0) process.on('exit', settle)
  owed.add(action)
  return () => {
    owed.delete(action)
    if (owed.size === 0) process.off('exit', settle)
  }
}

const settle = (): void => {
  for (const action of [...owed].reverse()) {
    try {
      action()
    } catch {
      // See above.
    }
  }
}
