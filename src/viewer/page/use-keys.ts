import { useLayoutEffect } from 'preact/hooks'

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>

const setting = 'skills-eval.keys'

export const areKeysOn = (): boolean => readSetting(setting) !== 'off'
export const setKeysOn = (on: boolean): boolean => writeSetting(setting, on ? 'on' : 'off')

/**
 * Single keys for the page: not while something is typed, nor with a modifier, nor where they were turned off. Keys
 * with a name (Escape, arrows, Enter) always hold, but for Enter and the arrows on a control that has its own use of them.
 */
export const useKeys = (keys: Keys): void => {
  // Before the next key, which may come before the page is painted.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const action = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
      if (action !== undefined && isForPage(event)) action(event)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}

const isForPage = (event: KeyboardEvent): boolean => {
  const { key, target } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false
  if (document.querySelector('dialog[open]')) return false
  if (key.length === 1 && !areKeysOn()) return false
  if (!(target instanceof Element)) return true
  if (target.matches('input:not([type=checkbox]), textarea, select')) return key === 'Escape'
  return !(/^(Arrow|Page|Home|End|Enter)/.test(key) && target.closest('summary, button'))
}

/** What the browser keeps for this report; a file from disk may not be allowed to. */
export const readSetting = (name: string): string | null => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Whether it was kept. */
export const writeSetting = (name: string, value: string): boolean => {
  try {
    localStorage.setItem(name, value)
    return true
  } catch {
    return false
  }
}
