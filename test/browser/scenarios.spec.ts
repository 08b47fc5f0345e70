import { describePageScenarios, describeScenarios } from '../support/scenarios/describe-scenarios.ts'

describeScenarios()
describePageScenarios()
