export type Explanation = { readonly reason: string; readonly hint: string }

const withoutIt = 'or set sandbox: require to refuse scripts instead'

/** Why bubblewrap could not start, from what it said; what to do about it. It ends with 1 whatever the cause. */
export const explainFailure = (said: string): Explanation => {
  const why = said === '' ? '' : ` (${said})`
  if (/No permissions to create (a )?new namespace/i.test(said)) {
    return {
      reason: `bwrap is installed, but user namespaces are not allowed here${why}`,
      hint: `In a container: start it with --security-opt seccomp=unconfined. On Ubuntu 24.04 and later: allow bwrap in AppArmor. On others: sysctl kernel.unprivileged_userns_clone=1. Else ${withoutIt}.`,
    }
  }
  if (/setting up uid map/i.test(said)) {
    return {
      reason: `bwrap is installed, but this process runs in a sandbox already, which allows no further one${why}`,
      hint: `Start skills-eval outside of it, ${withoutIt}.`,
    }
  }
  if (/ENOSPC|No space left on device|limit.*exceeded/i.test(said)) {
    return {
      reason: `bwrap is installed, but the number of user namespaces is used up or set to none${why}`,
      hint: `Raise user.max_user_namespaces with sysctl, ${withoutIt}.`,
    }
  }
  return {
    reason: `bwrap is installed, but does not work here${why}`,
    hint: `Try \`bwrap --ro-bind / / true\` by hand, ${withoutIt}.`,
  }
}
