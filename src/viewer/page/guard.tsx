import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { Line } from './text.tsx'

/** A page that can't be drawn says so, and leaves the others as they are. */
export const Guard = ({ children }: { readonly children: ComponentChildren }) => {
  const [error] = useErrorBoundary()
  if (error === undefined) return <>{children}</>
  return (
    <>
      <h1 tabIndex={-1}>This page can't be shown</h1>
      <p>
        <Line text={String(error)} />. The same result is in run.json beside this file.
      </p>
    </>
  )
}
