import { workspaceContract } from '../../core/ports.contract.test-support.ts'
import { memoryWorkspace } from './memory-workspace.ts'

workspaceContract((laid) => memoryWorkspace(laid))
