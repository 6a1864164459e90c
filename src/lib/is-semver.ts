// The pattern that semver.org suggests; the package semver would be loaded with every index of skills.
const pattern =
  /^(?:0|[1-9]\d{0,15})\.(?:0|[1-9]\d{0,15})\.(?:0|[1-9]\d{0,15})(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*)?(?:\+[\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*)?$/

/** Whether a text is a semantic version (https://semver.org, 2.0.0), without a leading v. */
export const isSemver = (text: string): boolean => text.length <= 256 && pattern.test(text)
