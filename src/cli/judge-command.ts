import { type Command, InvalidArgumentError, Option } from 'commander'
import { recordModes } from '../core/record-mode.ts'
import type { Done } from './command-line.ts'
import { amount, partOf, wholeNumber, withCommonOptions } from './common-options.ts'
import type { CalibrateFlags } from './judge-from-cli.ts'

export const addJudgeCommand = (program: Command, done: Done): void => {
  const judge = program.command('judge').description('the judge of rubrics')
  withCommonOptions(
    judge
      .command('calibrate')
      .description('hold the judge against labels of people: agreement, kappa, false passes')
      .argument('<labels>', 'a .jsonl file, {material, criterion, label: pass|fail, request?} in each line')
      .option('--model <name>', 'the model profile that judges (default: judge)')
      .addOption(
        new Option('--record <mode>', 'what is done with recorded verdicts (default: replay)').choices(recordModes),
      )
      .option('--mock <file>', 'what a scripted judge says, as under mock_judge')
      .option('--judges <n>', 'verdicts asked for each label; more than half decide; at most 15', wholeNumber(1, 15), 1)
      .option('--concurrency <n>', 'how many labels are judged at a time', wholeNumber(1))
      .option('--max-cost <usd>', 'ask for no verdict that could cost more than is left of this', amount)
      .option('--min-agreement <share>', 'fail where judge and people agree on fewer labels, as 90%', partOf)
      .option('--min-kappa <number>', "fail where Cohen's kappa is less, as 0.6 or 60%", kappa)
      .option('--max-false-pass <share>', 'fail where more of what people failed is passed, as 5%', partOf),
    'skills-eval judge calibrate labels.jsonl --min-kappa 0.6 --max-false-pass 5%',
  ).action(async (labels: string, flags: CalibrateFlags) => {
    const { calibrateFromCli } = await import('./judge-from-cli.ts')
    done(await calibrateFromCli(labels, flags))
  })
}

const kappa = (value: string): number => {
  const [, digits = '', percent] = /^\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+))\s*(%?)\s*$/.exec(value) ?? []
  const number = percent ? Number(digits) / 100 : Number(digits)
  if (digits === '' || !(number >= -1 && number <= 1))
    throw new InvalidArgumentError('It must be a number from -1 to 1, or a percentage, as 60%.')
  return number
}
