import type { LiveProfile } from '../schema/config.ts'

/** Where a live profile is asked, up to and with the version; without a slash at its end. */
export const providerAddress = ({ provider, base_url }: LiveProfile): string => {
  const usual = provider === 'anthropic' ? 'https://api.anthropic.com/v1' : 'https://api.openai.com/v1'
  return (base_url ?? usual).replace(/\/+$/, '')
}
