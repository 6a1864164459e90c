import { storeContract } from '../../core/ports.contract.test-support.ts'
import { memoryStore } from './memory-store.ts'

storeContract(() => memoryStore())
