import { describeKeyboard, describeScenarios } from '../support/scenarios/describe-scenarios.ts'

describeScenarios()
describeKeyboard()
