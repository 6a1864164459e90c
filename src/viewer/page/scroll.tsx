import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Room for a table that may be wider than the page. Where it is, keys must be able to scroll it: then it has a turn with Tab. */
export const Scroll = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => {
  const room = useRef<HTMLDivElement>(null)
  const [isWider, setWider] = useState(false)
  useLayoutEffect(() => {
    const measure = () => setWider(room.current !== null && room.current.scrollWidth > room.current.clientWidth)
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  })
  return (
    <div class="scroll" ref={room} {...(isWider ? { role: 'region', 'aria-label': label, tabIndex: 0 } : {})}>
      {children}
    </div>
  )
}
