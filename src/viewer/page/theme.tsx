import { useEffect, useState } from 'preact/hooks'
import { readSetting, writeSetting } from './use-keys.ts'

const setting = 'skills-eval.theme'
const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

/** Follows the system, unless a person chose otherwise. */
export const ThemeButton = () => {
  const [theme, setTheme] = useState<Theme>(() => themes.find((one) => one === readSetting(setting)) ?? 'system')
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  const turn = () => {
    const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
    setTheme(next)
    writeSetting(setting, next)
  }
  return (
    <button type="button" onClick={turn}>
      Theme: {theme}
    </button>
  )
}
