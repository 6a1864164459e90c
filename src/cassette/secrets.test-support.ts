/** Made-up secrets of 19 shapes. They are put together here so that no scanner takes this file for a leak. */
export const sampleSecrets: readonly (readonly [string, string])[] = [
  ['Anthropic', `sk-ant-${'api03-Zx9Qw7Er5Ty3Ui1Op'}-AA`],
  ['OpenAI', `sk-${'proj-Zx9Qw7Er5Ty3Ui1OpAs8Df6'}`],
  ['OpenAI, old', `sk-${'Zx9Qw7Er5Ty3Ui1OpAs8Df6Gh4Jk2Lz0Xc8Vb6Nm4Qw2Er0T'}`],
  ['GitHub', `ghp_${'Zx9Qw7Er5Ty3Ui1OpAs8Df6Gh4Jk2Lz0Xc8V'}`],
  ['GitHub, fine-grained', `github_pat_${'11ABCDEFG0Zx9Qw7Er5Ty3Ui1_OpAs8Df6Gh4Jk2Lz0Xc8V'}`],
  ['GitLab', `glpat-${'Zx9Qw7Er5Ty3Ui1OpAs8'}`],
  ['Slack', `xoxb-${'123456789012-123456789012-Zx9Qw7Er5Ty3Ui1OpAs8Df6G'}`],
  ['Slack webhook', `https://hooks.slack.com/services/${'T0123ABCD/B0123ABCD/Zx9Qw7Er5Ty3Ui1OpAs8Df6G'}`],
  ['AWS key id', `AKIA${'Z9QW7ER5TY3UI1OP'}`],
  ['AWS secret', `aws_secret_access_key=${'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY'}`],
  ['Google', `AIza${'SyZx9Qw7Er5Ty3Ui1OpAs8Df6Gh4Jk2Lz0X'}`],
  ['npm', `npm_${'Zx9Qw7Er5Ty3Ui1OpAs8Df6Gh4Jk2Lz0Xc8V'}`],
  ['Hugging Face', `hf_${'Zx9Qw7Er5Ty3Ui1OpAs8Df6Gh4Jk2Lz0Xc'}`],
  ['PyPI', `pypi-${'AgEIcHlwaS5vcmcCJDAxMjM0NTY3LTg5YWItY2RlZi0wMTIzNDU2Nzg5YWIAAipb'}`],
  ['Stripe', `sk_live_${'Zx9Qw7Er5Ty3Ui1OpAs8Df6G'}`],
  [
    'JWT',
    `eyJ${'hbGciOiJIUzI1NiJ9'}.${'eyJzdWIiOiIxMjM0NTY3ODkwIn0'}.${'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'}`,
  ],
  [
    'private key',
    `-----BEGIN ${'RSA PRIVATE'} KEY-----\n${'MIIEpAIBAAKCAQEA0Zx9Qw7Er5Ty3Ui1OpAs8Df6Gh4Jk2Lz\nXc8Vb6Nm4Qw2Er0Ty8Ui6Op4As2Df0Gh8Jk6Lz4Xc2Vb0Nm=='}\n-----END ${'RSA PRIVATE'} KEY-----`,
  ],
  ['password in a URL', `postgres://admin:${'hunter2horse'}@db.example.com:5432/main`],
  ['Azure', `AccountKey=${'Zx9Qw7Er5Ty3Ui1OpAs8Df6Gh4Jk2Lz0Xc8Vb6Nm4Qw2Er0Ty8Ui6Op4As2Df0Gh8Jk6Lz=='}`],
]

/** Values that only the environment tells to be secrets. */
export const unshaped: readonly [string, string] = ['plain "words" & blanks/äö', 'correcthorsebattery']
