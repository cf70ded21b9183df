package stowage

// LossMove is where replicas of an app on lost nodes go; To is NoIndex for nowhere.
type LossMove struct{ App, To, Replicas uint32 }

// OverriddenRule is a placement rule and the rule that overrides it, as indices of the instance's rules.
type OverriddenRule struct{ Rule, By uint32 }

func decodeExplanation(bytes []byte) *Explanation {
	explanation := readExplanation(bodyOf(bytes))
	explanation.Bytes = bytes
	return &explanation
}

func decodeLosses(bytes []byte) []Loss { return readTables(bodyOf(bytes), 4, readLoss) }

func decodeBounds(bytes []byte) []BoundEntry { return readTables(bodyOf(bytes), 4, readBoundEntry) }

func decodeCatalogue(bytes []byte) []Planner { return readTables(rootOf(bytes), 8, readPlanner) }

func overriddenRules(rules, by []uint32) []OverriddenRule {
	overridden := make([]OverriddenRule, min(len(rules), len(by)))
	for k := range overridden {
		overridden[k] = OverriddenRule{rules[k], by[k]}
	}
	return overridden
}

func lossMoves(apps, to, replicas []uint32) []LossMove {
	moves := make([]LossMove, len(apps))
	for k := range moves {
		moves[k] = LossMove{apps[k], to[k], replicas[k]}
	}
	return moves
}

// waves cuts the moves of an order at the ends of its waves.
func waves(moves []Move, ends []uint32) (waves [][]Move) {
	begin := uint32(0)
	for _, end := range ends {
		waves = append(waves, moves[begin:end])
		begin = end
	}
	return waves
}
