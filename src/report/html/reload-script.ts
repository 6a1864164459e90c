/**
 * The program that a served page has besides the viewer: it loads the page again once the server says that it is another,
 * but not under the hands of a reader who types or has marked something, nor where nobody looks. `version` is in hexadecimal.
 */
export const reloadScript = (version: string): string => `(() => {
  let isStale = false
  const isBusy = () => {
    const at = document.activeElement
    const isTyping = at !== null && (at.matches('input:not([type=checkbox]), textarea, select') || at.isContentEditable)
    return isTyping || document.hidden || !(getSelection()?.isCollapsed ?? true)
  }
  const reload = () => { if (isStale && !isBusy()) location.reload() }
  const events = new EventSource('events')
  events.onmessage = ({ data }) => { if (data !== '${version.replace(/[^\da-f]/g, '')}') { isStale = true; reload() } }
  setInterval(reload, 1000)
  document.addEventListener('visibilitychange', reload)
  addEventListener('beforeunload', () => events.close())
})()`
