module stowage.dev/go

go 1.24.0

require github.com/google/flatbuffers v2.0.8+incompatible
